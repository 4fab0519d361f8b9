import { neverLeft } from '#platform/server/http/http-client.ts'
import type { NoticesConfig, SmsDelivery, SmsVendor } from '../port.ts'

/** Programmable Messaging of Twilio (2010-04-01), basic authentication. Source: twilio.com/docs/messaging/api/message-resource. */
export const twilio: SmsVendor = {
  id: 'twilio',
  sandbox: false,
  regions: ({ TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: token, TWILIO_FROM: from }) => (sid && token && from ? ['852', '853', '86'] : []),
  // https://www.twilio.com/docs/usage/api/account-balance
  balance: async ({ config }) => {
    const { status, body } = await request(config, 'Balance.json')
    if (status !== 200) throw new Error(`twilio ${Number(body?.['code'] ?? status)}`)
    return { currency: String(body?.['currency']), amount: String(body?.['balance']) }
  },
  open: ({ config }) => ({
    send: async ({ to, text }): Promise<SmsDelivery> => {
      const from = config.TWILIO_FROM!
      const sender: Record<string, string> = /^MG/.test(from) ? { MessagingServiceSid: from } : { From: from }
      const { status, body, problem } = await request(config, 'Messages.json', new URLSearchParams({ To: to, Body: text, ...sender }))
      if (status === 0) return { outcome: neverLeft(problem) ? 'failed' : 'unknown', reason: `twilio: ${String((problem as Error)?.name)}`, ours: false }
      if (status === 201 || status === 200) return { outcome: 'sent' }
      const code = Number(body?.['code'] ?? 0)
      const reason = `twilio ${code || status}`
      if (REFUSED.has(code)) return { outcome: 'refused', reason }
      if (status === 429) return { outcome: 'failed', reason, ours: false }
      if (status >= 500) return { outcome: 'unknown', reason }
      return { outcome: 'failed', reason, ours: true }
    },
    find: async ({ to, text }) => {
      // Newest first; the text carries the code, so that it is this message's own.
      const { status, body } = await request(config, `Messages.json?${new URLSearchParams({ To: to, PageSize: '20' })}`)
      if (status !== 200 || !Array.isArray(body?.['messages'])) return 'unknown'
      const messages = body['messages'] as { body?: string; status?: string }[]
      return messages.some((message) => message.body === text && !/^(failed|undelivered|canceled)$/.test(message.status ?? '')) ? 'taken' : 'absent'
    },
  }),
}

/** Invalid or unreachable number, landline, opted out, blocked by the carrier, its own daily limit: another attempt changes nothing. */
const REFUSED = new Set([21211, 21214, 21217, 21265, 21401, 21421, 21610, 21612, 21614, 30003, 30004, 30005, 30006, 30007, 63038])

interface Answer {
  readonly status: number
  readonly body: Record<string, unknown> | undefined
  readonly problem: unknown
}

async function request(config: NoticesConfig, page: string, form?: URLSearchParams): Promise<Answer> {
  const { TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: token, TWILIO_ENDPOINT: endpoint } = config
  try {
    const reply = await fetch(`${endpoint.replace(/\/$/, '')}/2010-04-01/Accounts/${sid}/${page}`, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { authorization: `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}` },
      ...(form ? { body: form } : {}),
      signal: AbortSignal.timeout(10_000),
    })
    return { status: reply.status, body: (await reply.json().catch(() => undefined)) as Record<string, unknown> | undefined, problem: undefined }
  } catch (problem) {
    return { status: 0, body: undefined, problem }
  }
}

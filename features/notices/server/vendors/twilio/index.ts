import { mapCodes, findCodeError, failedReplyError, lostCallError, retryableError } from '#platform/shared/suppliers/supplier-error.ts'
import type { SupplierError, VendorCodes } from '#platform/shared/suppliers/supplier-error.ts'
import type { NoticesConfig, SmsVendor } from '../port.ts'

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
    send: async ({ to, text }) => {
      const from = config.TWILIO_FROM!
      const sender: Record<string, string> = /^MG/.test(from) ? { MessagingServiceSid: from } : { From: from }
      const { status, body, problem } = await request(config, 'Messages.json', new URLSearchParams({ To: to, Body: text, ...sender }))
      if (status === 0) throw lostCallError(problem, { writes: true })
      if ((status !== 201 && status !== 200) || typeof body?.['sid'] !== 'string') throw toTwilioError(status, body)
    },
    find: async ({ to, text }) => {
      // Newest first. The text contains the code, so a match is this message.
      const { status, body, problem } = await request(config, `Messages.json?${new URLSearchParams({ To: to, PageSize: '20' })}`)
      if (status === 0) throw lostCallError(problem, { writes: false })
      if (status !== 200 || !Array.isArray(body?.['messages'])) throw failedReplyError({ status, writes: false })
      const messages = body['messages'] as { body?: string; status?: string }[]
      return messages.some((message) => message.body === text && !/^(failed|undelivered|canceled)$/.test(message.status ?? '')) ? 'taken' : 'absent'
    },
  }),
}

/** Source: twilio.com/docs/api/errors. Unlisted codes of a 4xx concern our account: credentials, sender, permissions, balance. */
const CODES: VendorCodes = {
  ...mapCodes({ kind: 'rejected', reason: 'number' }, 21211, 21214, 21217, 21265, 21401, 21421, 21612, 21614, 30003, 30005, 30006),
  ...mapCodes({ kind: 'rejected', reason: 'blocked' }, 21610, 30004, 30007),
  ...mapCodes({ kind: 'rejected', reason: 'limit' }, 63038),
  ...mapCodes({ kind: 'retryable', reason: 'too_many' }, 20429),
}

function toTwilioError(status: number, body: TwilioReply['body']): SupplierError {
  const code = String(Number(body?.['code'] ?? 0))
  const said = `twilio ${code === '0' ? status : code}`
  if (status === 429 || status >= 500 || status < 400) return failedReplyError({ status, said, writes: true })
  return findCodeError(CODES, code, said) ?? retryableError('our_account', said, { ours: true })
}

interface TwilioReply {
  readonly status: number
  readonly body: Record<string, unknown> | undefined
  readonly problem: unknown
}

async function request(config: NoticesConfig, page: string, form?: URLSearchParams): Promise<TwilioReply> {
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

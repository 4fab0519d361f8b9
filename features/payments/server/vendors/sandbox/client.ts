import type { ChannelTools, OpenCall, Opened, PayForm, TradeFact } from '../port.ts'
import { MERCHANT, MERCHANT_KEY, sealed } from './envelope.ts'
import { openReply, queryReply } from './wire.ts'

/** Above the slowest good answer, below the 60 s that the page waits. */
const DEADLINE_MS = 10_000
const QR_LIFE_MS = 5 * 60_000

/** Our side of the sandbox's API. Every answer that is not surely one of its own shapes is thrown: outcome unknown. */
export async function open(tools: ChannelTools, call: OpenCall, form: PayForm): Promise<Opened> {
  const reply = openReply.parse(
    await send(tools, 'open', {
      tradeNo: call.tradeNo,
      minor: call.payMinor.toString(),
      currency: call.currency,
      orderAmount: call.orderAmount,
      transactionType: call.transactionType,
      form,
      lang: call.lang,
      notifyUrl: call.notifyUrl,
      returnUrl: call.returnUrl,
      expiresAt: call.expiresAt.toISOString(),
    }),
  )
  if (reply.code === 'REFUSED') return { kind: 'refused', reason: reply.message }
  const page = `${tools.publicUrl()}/sandbox/pay/${reply.token}`
  const tradeEnds = Date.parse(reply.expiresAt)
  return {
    kind: 'opened',
    form,
    payUrl: page,
    payHtml: form === 'form' ? `<form method="post" action="${page}"></form>` : '',
    ...(form === 'qr' ? { qr: page } : {}),
    expiresAt: new Date(form === 'qr' ? Math.min(tools.now().getTime() + QR_LIFE_MS, tradeEnds) : tradeEnds),
  }
}

export async function query(tools: ChannelTools, tradeNo: string): Promise<TradeFact> {
  const reply = queryReply.parse(await send(tools, 'query', { tradeNo }))
  if (reply.code === 'NOT_FOUND') return { status: 'not_found', scanned: false, payments: [] }
  const payments = reply.payments.map(({ txn, minor, currency, paidAt }) => ({ channelTxn: txn, minor: BigInt(minor), currency, paidAt: new Date(paidAt) }))
  return { status: payments.length ? 'paid' : reply.state, scanned: reply.scanned, payments }
}

async function send(tools: ChannelTools, what: string, call: Record<string, unknown>): Promise<unknown> {
  const body = Buffer.from(JSON.stringify({ merchant: MERCHANT, ...call }))
  const reply = await tools.fetch(`${tools.publicUrl()}/sandbox/pay-api/${what}`, {
    method: 'POST',
    headers: { ...sealed(tools.secret, MERCHANT_KEY, tools.now(), body), 'content-type': 'application/json' },
    body,
    signal: AbortSignal.timeout(DEADLINE_MS),
  })
  if (!reply.ok) throw new Error(`the sandbox answered ${reply.status}`)
  return reply.json()
}

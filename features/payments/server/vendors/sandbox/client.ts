import type { ChannelTools, OpenCall, OpenOutcome, PayForm, RefundCall, RefundFact, RefundRef, ChannelStatementRow, TradeFact, TradeRef } from '../port.ts'
import { MERCHANT, MERCHANT_KEY, sealed } from './envelope.ts'
import { closeReply, openReply, queryReply, refundReply, statementReply } from './wire.ts'

/** Above the slowest good answer, below the 60 s that the page waits. */
const DEADLINE_MS = 10_000
const QR_LIFE_MS = 5 * 60_000

/** Our side of the sandbox's API. Every answer that is not surely one of its own shapes is thrown: outcome unknown. */
export async function open(tools: ChannelTools, call: OpenCall, form: PayForm): Promise<OpenOutcome> {
  const reply = openReply.parse(
    await send(tools, 'open', {
      tradeNo: call.tradeNo,
      minor: call.payMinor.toString(),
      currency: call.currency,
      orderAmount: call.orderAmount,
      subject: call.subject,
      transactionType: call.transactionType,
      form,
      lang: call.lang,
      notifyUrl: call.notifyUrl,
      returnUrl: call.returnUrl,
      expiresAt: call.expiresAt.toISOString(),
    }),
  )
  if (reply.code === 'REFUSED') return { kind: 'refused', reason: reply.message }
  // the origin at which the payer's browser already is: a form may post there, and a session waits there
  const page = `${URL.parse(call.returnUrl)?.origin ?? tools.publicUrl()}/sandbox/pay/${reply.token}`
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

export async function query(tools: ChannelTools, { tradeNo }: TradeRef): Promise<TradeFact> {
  const reply = queryReply.parse(await send(tools, 'query', { tradeNo }))
  if (reply.code === 'NOT_FOUND') return { status: 'not_found', scanned: false, payments: [] }
  const payments = reply.payments.map(({ txn, minor, currency, paidAt, payer }) => ({
    ...{ channelTxn: txn, minor: BigInt(minor), currency, paidAt: new Date(paidAt) },
    ...(payer ? { payer } : {}),
  }))
  const disputes = reply.disputes.map(({ id, txn, minor, currency, state, dueAt }) => ({
    disputeId: id,
    channelTxn: txn,
    minor: BigInt(minor),
    currency,
    status: state,
    dueAt: new Date(dueAt),
  }))
  return {
    status: payments.length ? 'paid' : reply.state,
    scanned: reply.scanned,
    payments,
    disputes,
    ...(reply.refusal ? { refusal: reply.refusal } : {}),
  }
}

export async function close(tools: ChannelTools, { tradeNo }: TradeRef): Promise<'closed' | 'paid'> {
  return closeReply.parse(await send(tools, 'close', { tradeNo })).state
}

export async function refund(tools: ChannelTools, { refundNo, trade, paid, minor, notifyUrl }: RefundCall): Promise<RefundFact> {
  return factOf(await send(tools, 'refund', { refundNo, tradeNo: trade.tradeNo, txn: paid.channelTxn, minor: minor.toString(), notifyUrl }), refundNo)
}

export async function queryRefund(tools: ChannelTools, { refundNo }: RefundRef): Promise<RefundFact> {
  return factOf(await send(tools, 'query-refund', { refundNo }), refundNo)
}

function factOf(answer: unknown, refundNo: string): RefundFact {
  const reply = refundReply.parse(answer)
  if (reply.code === 'NOT_FOUND') return { status: 'not_found' }
  return reply.code === 'REFUSED' ? { status: 'refused', reason: reply.message } : { status: reply.state, channelRefund: refundNo }
}

export async function statement(tools: ChannelTools, day: string): Promise<ChannelStatementRow[]> {
  const { lines } = statementReply.parse(await send(tools, 'statement', { day }))
  return lines.map(({ kind, tradeNo, txn, refundNo, minor, currency, at }) => ({
    kind,
    tradeNo,
    channelTxn: txn,
    refundNo,
    minor: BigInt(minor),
    currency,
    feeMinor: 0n,
    feeCurrency: currency,
    at: new Date(at),
  }))
}

export async function send(tools: ChannelTools, what: string, call: Record<string, unknown>): Promise<unknown> {
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

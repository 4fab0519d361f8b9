import { randomUUID } from 'node:crypto'
import type { ChannelTools } from '../port.ts'
import * as book from './data.ts'
import { MERCHANT } from './envelope.ts'

/** Queues a notice about a trade: `event` as the payer's action was, due now or later. */
export async function notify(
  tools: ChannelTools,
  trade: book.Trade,
  event: string,
  options: { delaySeconds?: number; badSignatureFirst?: boolean; twice?: boolean; minor?: bigint; refundNo?: string } = {},
): Promise<void> {
  const noticeId = randomUUID()
  const body = JSON.stringify({
    merchant: MERCHANT,
    notice_id: noticeId,
    event,
    trade_no: trade.tradeNo,
    amount: (options.minor ?? trade.minor).toString(),
    currency: trade.currency,
    ...(options.refundNo ? { refund_no: options.refundNo } : {}),
  })
  const dueAt = new Date(tools.now().getTime() + (options.delaySeconds ?? 0) * 1000)
  if (options.badSignatureFirst) await book.queueNotice(tools.query, { noticeId, token: trade.token, body, badSignature: true, dueAt })
  for (let copy = 0; copy < (options.twice ? 2 : 1); copy++)
    await book.queueNotice(tools.query, { noticeId, token: trade.token, body, badSignature: false, dueAt })
}

import type { Tx } from '#platform/server/database/transact.ts'
import { formatMinor, formatUsd } from '#platform/shared/money.ts'
import type { OrderRow } from '../data.ts'
import { computeVisibleAmount } from './view.ts'

/** News about an order's money for other features. Dollars and minor units as decimal text. */
export type OrderMoneyEvent =
  | 'order.paid'
  | 'order.paid_late'
  | 'order.paid_again'
  | 'order.mismatch'
  | 'order.resolved'
  | 'order.refunded'
  | 'order.refund_failed'
  | 'order.disputed'
  | 'order.dispute_closed'

/** Facts carried by every piece of news about an order. */
export const toOrderEventFacts = (order: OrderRow) => ({
  orderNo: order.order_no,
  userId: order.user_id,
  fee: formatUsd(order.fee_nano),
  total: formatUsd(order.total_nano),
  payAmount: formatMinor(order.pay_minor),
  payCurrency: order.currency,
  rate: order.rate,
  channelType: order.channel_type,
  transactionType: order.transaction_type,
})

/** Writes the audit row and the news in the caller's transaction; `more` holds the amounts of this piece of news. */
export async function emitOrderEvent(tx: Tx, order: OrderRow, event: OrderMoneyEvent, more: Readonly<Record<string, unknown>>): Promise<void> {
  const facts = { ...toOrderEventFacts(order), orderType: order.order_type, source: order.source, amount: formatUsd(computeVisibleAmount(order)), ...more }
  await tx.audit(event, `order:${order.order_no}`, facts)
  await tx.emit(event, facts)
}

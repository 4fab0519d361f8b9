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
  orderNo: order.orderNo,
  userId: order.userId,
  fee: formatUsd(order.feeNano),
  total: formatUsd(order.totalNano),
  payAmount: formatMinor(order.payMinor),
  payCurrency: order.currency,
  rate: order.rate,
  channelType: order.channelType,
  transactionType: order.transactionType,
})

/** Writes the audit row and the news in the caller's transaction; `more` holds the amounts of this piece of news. */
export async function emitOrderEvent(
  tx: Tx,
  order: OrderRow,
  { event, more }: { readonly event: OrderMoneyEvent; readonly more: Readonly<Record<string, unknown>> },
): Promise<void> {
  const facts = { ...toOrderEventFacts(order), orderType: order.orderType, source: order.source, amount: formatUsd(computeVisibleAmount(order)), ...more }
  await tx.audit(event, `order:${order.orderNo}`, facts)
  await tx.emit(event, facts)
}

import { countEvent } from '#platform/server/metrics.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { formatMinor, formatUsd } from '#platform/shared/money.ts'
import { bookResolution, finishRefund, releaseRefund, reverseRefund } from '../bookings.ts'
import * as data from '../data.ts'
import type { OrderRow } from '../data.ts'
import { insertResolution, selectReceipts } from '../trades/data-receipts.ts'
import { moveRefund } from '../states/data-refunds.ts'
import type { RefundRow } from '../states/data-refunds.ts'
import { findOrderKind, toSoldOrder } from '../kinds/index.ts'
import { lockRefundedWithdrawal, restorePart } from '../set-aside/parts.ts'
import { restateOrder } from '../states/restate-order.ts'
import { emitOrderEvent } from '../states/emit-order-event.ts'

/** Checks a succeeded refund again, because banks return some: after a day, then after five more. */
const RECHECK_SECONDS = 86_400

/** Concludes a refund that has reached the payer or the balance. The order must be locked; does nothing if it was concluded before. */
export async function succeedRefund(
  tx: Tx,
  order: OrderRow,
  { refund, channelRefund }: { readonly refund: RefundRow; readonly channelRefund?: string },
): Promise<OrderRow> {
  const seconds = refund.goesTo === 'channel' ? RECHECK_SECONDS : null
  const done = await moveRefund(tx, refund, { to: 'succeeded', more: { seconds, ...(channelRefund ? { channelRefund } : {}) } })
  if (!done) return order
  await lockRefundedWithdrawal(tx, done.id)
  await finishRefund(tx, order, done)
  const moved = await restateOrder(tx, order, { reason: `refund ${done.refundNo} arrived`, event: 'refunded', facts: toRefundFacts(done) })
  // Undo pending deliveries too, or they would be delivered free of charge; if none was started, undo has no effect.
  if (!(await data.wasUndeliverable(tx, order.id))) {
    const isAll = moved.state === 'refunded'
    await findOrderKind(order.orderType)?.undo(tx, toSoldOrder(order), { ref: done.refundNo, amount: done.amountNano, isAll })
  }
  await emitOrderEvent(tx, order, { event: 'order.refunded', more: toRefundEvent(done) })
  return moved
}

/** Records money released from a service's hold as refunded, without a posting. The order must be locked. */
export async function recordHeldRefund(tx: Tx, order: OrderRow, refund: RefundRow): Promise<OrderRow> {
  const done = await moveRefund(tx, refund, { to: 'succeeded' })
  if (!done) return order
  const moved = await restateOrder(tx, order, { reason: done.reason, event: 'refunded', facts: toRefundFacts(done) })
  await emitOrderEvent(tx, order, { event: 'order.refunded', more: toRefundEvent(done) })
  return moved
}

/** Reverses a failed refund; money that was never the user's and cannot be returned becomes balance. */
export async function failRefund(tx: Tx, order: OrderRow, { refund, failure }: { readonly refund: RefundRow; readonly failure: string }): Promise<OrderRow> {
  const failed = await moveRefund(tx, refund, {
    to: refund.state === 'requested' ? 'rejected' : 'failed',
    more: { failure, decided: refund.state === 'requested' },
  })
  if (!failed) return order
  const withdrawal = await lockRefundedWithdrawal(tx, failed.id)
  await releaseRefund(tx, order, failed)
  if (withdrawal) await restorePart(tx, withdrawal, failed.id)
  await creditReturningPayment(tx, order, failed)
  const isRejected = failed.state === 'rejected'
  const moved = await restateOrder(tx, order, {
    reason: `refund ${failed.refundNo}: ${failure}`,
    event: isRejected ? 'refund_rejected' : 'refund_failed',
    facts: toRefundFacts(failed),
  })
  if (!isRejected) countEvent('payments.refund_failed')
  await emitOrderEvent(tx, order, { event: 'order.refund_failed', more: { ...toRefundEvent(failed), rejected: isRejected } })
  return moved
}

/** The channel returned the refund after it had succeeded (R4). */
export async function reverseDoneRefund(
  tx: Tx,
  order: OrderRow,
  { refund, failure }: { readonly refund: RefundRow; readonly failure: string },
): Promise<OrderRow> {
  const reversed = await moveRefund(tx, refund, { to: 'reversed', more: { failure } })
  if (!reversed) return order
  const withdrawal = await lockRefundedWithdrawal(tx, reversed.id)
  await reverseRefund(tx, order, reversed)
  if (withdrawal) await restorePart(tx, withdrawal, reversed.id)
  await creditReturningPayment(tx, order, reversed)
  countEvent('payments.refund_reversed')
  const moved = await restateOrder(tx, order, {
    reason: `refund ${reversed.refundNo} came back: ${failure}`,
    event: 'refund_reversed',
    facts: toRefundFacts(reversed),
  })
  await emitOrderEvent(tx, order, { event: 'order.refund_failed', more: toRefundEvent(reversed) })
  return moved
}

async function creditReturningPayment(tx: Tx, order: OrderRow, refund: RefundRow): Promise<void> {
  if (refund.source !== 'suspense') return
  const receipt = (await selectReceipts(tx, order.id)).find(({ id }) => id === refund.receiptId)
  if (receipt?.outcome !== 'returning' || receipt.resolvedNano !== null) return
  const ledgerRef = await bookResolution(tx, order, { receipt, amount: order.amountNano })
  await insertResolution(tx, receipt.id, { amount: order.amountNano, ledgerRef, reason: `refund ${refund.refundNo} could not be delivered` })
  await data.noteStep(tx, order, { event: 'resolved', reason: 'kept as balance', facts: { amount: formatUsd(order.amountNano) } })
}

function toRefundFacts(refund: RefundRow): Record<string, string> {
  return { refundNo: refund.refundNo, amount: formatUsd(refund.amountNano), payAmount: formatMinor(refund.minor), payCurrency: refund.currency }
}

function toRefundEvent(refund: RefundRow): Record<string, string> {
  const ended = { goesTo: refund.goesTo, refundSource: refund.source, refundState: refund.state }
  return { ...toRefundFacts(refund), ...ended, feeRefunded: formatUsd(refund.feeNano), reason: refund.reason }
}

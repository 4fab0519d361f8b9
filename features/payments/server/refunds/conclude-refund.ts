import { countEvent } from '#platform/server/metrics.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { minorText, usd } from '#platform/shared/money.ts'
import { bookResolution, finishRefund, releaseRefund, reverseRefund } from '../bookings.ts'
import * as data from '../data.ts'
import type { OrderRow } from '../data.ts'
import { insertResolution, receiptsOf } from '../trades/data-receipts.ts'
import { moveRefund } from '../states/data-refunds.ts'
import type { RefundRow } from '../states/data-refunds.ts'
import { kindOf, soldOrder } from '../kinds/index.ts'
import { refundOfWithdrawal, regainPart } from '../set-aside/parts.ts'
import { restateOrder } from '../states/restate-order.ts'
import { tellOrder } from '../states/tell-order.ts'

/** Looks again at a refund that has succeeded, because banks return some: after a day, then after five more. */
const LOOK_AGAIN_SECONDS = 86_400

/** The money has arrived at the payer, or in the balance. The order must be locked; does nothing when it was concluded before. */
export async function succeedRefund(tx: Tx, order: OrderRow, refund: RefundRow, channelRefund?: string): Promise<OrderRow> {
  const seconds = refund.goes_to === 'channel' ? LOOK_AGAIN_SECONDS : null
  const done = await moveRefund(tx, refund, 'succeeded', { seconds, ...(channelRefund ? { channelRefund } : {}) })
  if (!done) return order
  await refundOfWithdrawal(tx, done.id)
  await finishRefund(tx, order, done)
  const moved = await restateOrder(tx, order, `refund ${done.refund_no} arrived`, 'refunded', factsOf(done))
  // Undo pending deliveries too, or they would be delivered free of charge; if none was started, undo has no effect.
  if (!(await data.wasImpossible(tx, order.id))) {
    const isAll = moved.state === 'refunded'
    await kindOf(order.order_type)?.undo(tx, soldOrder(order), { ref: done.refund_no, amount: done.amount_nano, isAll })
  }
  await tellOrder(tx, order, 'order.refunded', newsOf(done))
  return moved
}

/** Records money released from a service's hold as refunded, without a posting. The order must be locked. */
export async function recordHeld(tx: Tx, order: OrderRow, refund: RefundRow): Promise<OrderRow> {
  const done = await moveRefund(tx, refund, 'succeeded')
  if (!done) return order
  const moved = await restateOrder(tx, order, done.reason, 'refunded', factsOf(done))
  await tellOrder(tx, order, 'order.refunded', newsOf(done))
  return moved
}

/** The money does not arrive and is put back; money that was never the user's and cannot go back becomes balance. */
export async function failRefund(tx: Tx, order: OrderRow, refund: RefundRow, failure: string): Promise<OrderRow> {
  const failed = await moveRefund(tx, refund, refund.state === 'requested' ? 'rejected' : 'failed', { failure, decided: refund.state === 'requested' })
  if (!failed) return order
  const withdrawal = await refundOfWithdrawal(tx, failed.id)
  await releaseRefund(tx, order, failed)
  if (withdrawal) await regainPart(tx, withdrawal, failed.id)
  await keepReturning(tx, order, failed)
  const isRejected = failed.state === 'rejected'
  const moved = await restateOrder(tx, order, `refund ${failed.refund_no}: ${failure}`, isRejected ? 'refund_rejected' : 'refund_failed', factsOf(failed))
  if (!isRejected) countEvent('payments.refund_failed')
  await tellOrder(tx, order, 'order.refund_failed', { ...newsOf(failed), rejected: isRejected })
  return moved
}

/** The channel brought it back after it had succeeded (R4). */
export async function reverseDoneRefund(tx: Tx, order: OrderRow, refund: RefundRow, failure: string): Promise<OrderRow> {
  const reversed = await moveRefund(tx, refund, 'reversed', { failure })
  if (!reversed) return order
  const withdrawal = await refundOfWithdrawal(tx, reversed.id)
  await reverseRefund(tx, order, reversed)
  if (withdrawal) await regainPart(tx, withdrawal, reversed.id)
  await keepReturning(tx, order, reversed)
  countEvent('payments.refund_reversed')
  const moved = await restateOrder(tx, order, `refund ${reversed.refund_no} came back: ${failure}`, 'refund_reversed', factsOf(reversed))
  await tellOrder(tx, order, 'order.refund_failed', newsOf(reversed))
  return moved
}

async function keepReturning(tx: Tx, order: OrderRow, refund: RefundRow): Promise<void> {
  if (refund.source !== 'suspense') return
  const receipt = (await receiptsOf(tx, order.id)).find(({ id }) => id === refund.receipt_id)
  if (receipt?.outcome !== 'returning' || receipt.resolved_nano !== null) return
  const ledgerRef = await bookResolution(tx, order, receipt, order.amount_nano)
  await insertResolution(tx, receipt.id, order.amount_nano, ledgerRef, `refund ${refund.refund_no} could not be delivered`)
  await data.noteStep(tx, order, 'resolved', 'kept as balance', { amount: usd(order.amount_nano) })
}

function factsOf(refund: RefundRow): Record<string, string> {
  return { refundNo: refund.refund_no, amount: usd(refund.amount_nano), payAmount: minorText(refund.minor), payCurrency: refund.currency }
}

function newsOf(refund: RefundRow): Record<string, string> {
  const ended = { goesTo: refund.goes_to, refundSource: refund.source, refundState: refund.state }
  return { ...factsOf(refund), ...ended, feeRefunded: usd(refund.fee_nano), reason: refund.reason }
}

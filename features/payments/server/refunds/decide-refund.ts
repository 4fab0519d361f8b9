import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { arePayoutsFrozen } from '#features/account/server/door.ts'
import * as data from '../data.ts'
import { moveRefund, selectRefundById } from '../states/data-refunds.ts'
import type { RefundRow } from '../states/data-refunds.ts'
import { failRefund } from './conclude-refund.ts'

/**
 * Approves or rejects a refund that a user requested. Requesters cannot decide their own. Errors: ORDER_NOT_REFUNDABLE (no longer
 * waiting), FORBIDDEN, MONEY_OUT_FROZEN.
 */
export async function decideRefund(
  tx: Tx,
  refundId: bigint,
  { verdict, reason }: { readonly verdict: 'approve' | 'reject'; readonly reason: string },
): Promise<void> {
  const found = (await selectRefundById(tx, refundId)) ?? fail('ORDER_NOT_REFUNDABLE')
  const order = await data.lockOrder(tx, found.orderId)
  const refund = (await selectRefundById(tx, refundId))!
  if (refund.state !== 'requested') fail('ORDER_NOT_REFUNDABLE')
  if (refund.askedBy === `${tx.actor.kind}:${tx.actor.id}`) fail('FORBIDDEN')
  if (verdict === 'approve' && (await arePayoutsFrozen(tx, order.userId))) fail('MONEY_OUT_FROZEN')
  await tx.audit(verdict === 'approve' ? 'refund.approved' : 'refund.rejected', `order:${order.orderNo}`, { refundNo: refund.refundNo, reason })
  if (verdict === 'reject') await failRefund(tx, order, { refund, failure: reason })
  else await approve(tx, order, { refund, reason })
}

async function approve(tx: Tx, order: data.OrderRow, { refund, reason }: { readonly refund: RefundRow; readonly reason: string }): Promise<void> {
  await moveRefund(tx, refund, { to: 'approved', more: { seconds: 0, decided: true } })
  await data.noteStep(tx, order, { event: 'refund_approved', reason, facts: { refundNo: refund.refundNo } })
}

import type { Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import type { ordersContract } from '../../contract-orders.ts'
import { selectOrderByNo } from '../data.ts'
import { insertNoticeRead } from './data-notice-reads.ts'
import { computeSecondsLeft } from '../states/view.ts'

/**
 * Records that the payment notice of an order was read. Public on purpose: the phone that scanned the QR code has no session. It only
 * unlocks the payment that the payer requested.
 */
export const noticeRead: Handler<typeof ordersContract.noticeRead> = async (ctx, { orderNo }) => {
  const order = (await selectOrderByNo(ctx.db, orderNo)) ?? fail('ORDER_NOT_FOUND')
  const payable = computeSecondsLeft(order) > 0
  if (payable) {
    // no session check: a scanning phone reads for the payer
    await transact(ctx.db, ctx.actor, async (tx) => {
      if (await insertNoticeRead(tx, order.id)) await tx.audit('order.notice_read', `order:${orderNo}`)
    })
  }
  return { payable }
}

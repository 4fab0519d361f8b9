import type { Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import type { ordersContract } from '../../contract-orders.ts'
import { orderByNo } from '../data.ts'
import { keepNoticeRead } from './data-notice-reads.ts'
import { secondsLeft } from '../states/view.ts'

/**
 * Records that the payment notice of an order was read. Public on purpose: the phone that scanned the QR code has no session. It
 * only unlocks the payment that the payer asked for.
 */
export const noticeRead: Handler<typeof ordersContract.noticeRead> = async (ctx, { orderNo }) => {
  const order = (await orderByNo(ctx.db, orderNo)) ?? fail('ORDER_NOT_FOUND')
  const payable = secondsLeft(order) > 0
  if (payable) {
    // no session check: a scanning phone reads for the payer
    await transact(ctx.db, ctx.actor, async (tx) => {
      if (await keepNoticeRead(tx, order.id)) await tx.audit('order.notice_read', `order:${orderNo}`)
    })
  }
  return { payable }
}

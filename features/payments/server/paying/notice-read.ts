import type { Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import type { ordersContract } from '../../contract-orders.ts'
import { orderByNo } from '../data.ts'
import { keepNoticeRead } from './data-notice-reads.ts'
import { secondsLeft } from '../states/view.ts'

/** Nobody need be signed in: a phone that scanned the code on a computer reads for it. All it opens is what its payer asked for. */
export const noticeRead: Handler<typeof ordersContract.noticeRead> = async (ctx, { orderNo }) => {
  const order = (await orderByNo(ctx.db, orderNo)) ?? fail('ORDER_NOT_FOUND')
  const payable = secondsLeft(order) > 0
  if (payable) {
    // anybody may: whoever scanned the code reads for its payer
    await transact(ctx.db, ctx.actor, async (tx) => {
      if (await keepNoticeRead(tx, order.id)) await tx.audit('order.notice_read', `order:${orderNo}`)
    })
  }
  return { payable }
}

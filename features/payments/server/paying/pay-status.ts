import type { Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { paymentsContract } from '../../contract.ts'
import { toPayStatus } from '../../words.ts'
import { selectOrderByNo } from '../data.ts'
import { isNoticeRead } from './data-notice-reads.ts'
import { computeSecondsLeft } from '../states/view.ts'
import { queryWhileWatched } from './query-while-watched.ts'

const QUERY_SECONDS = 3

/** Order status, polled by the open payment dialog. */
export const payStatus: Handler<typeof paymentsContract.payStatus> = async (ctx, { order_id: orderId }) => {
  const order = (await selectOrderByNo(ctx.db, orderId, ctx.userId)) ?? fail('ORDER_NOT_FOUND')
  await queryWhileWatched(ctx, order, QUERY_SECONDS)
  const now = (await selectOrderByNo(ctx.db, orderId, ctx.userId)) ?? fail('ORDER_NOT_FOUND')
  return {
    orderNo: now.orderNo,
    payStatus: toPayStatus(now.state),
    state: now.state,
    scanned: now.scanned,
    declined: now.declined,
    secondsLeft: computeSecondsLeft(now),
    noticeRead: await isNoticeRead(ctx.db, now.id),
  }
}

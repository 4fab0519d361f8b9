import type { Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { paymentsContract } from '../../contract.ts'
import { payStatusOf } from '../../words.ts'
import { orderByNo } from '../data.ts'
import { isNoticeRead } from './data-notice-reads.ts'
import { secondsLeft } from '../states/view.ts'
import { askWhileWatching } from './ask-while-watching.ts'

const ASK_SECONDS = 3

/** Order status, polled by the open payment dialog. */
export const payStatus: Handler<typeof paymentsContract.payStatus> = async (ctx, { order_id }) => {
  const order = (await orderByNo(ctx.db, order_id, ctx.userId)) ?? fail('ORDER_NOT_FOUND')
  await askWhileWatching(ctx, order, ASK_SECONDS)
  const now = (await orderByNo(ctx.db, order_id, ctx.userId)) ?? fail('ORDER_NOT_FOUND')
  return {
    orderNo: now.order_no,
    payStatus: payStatusOf(now.state),
    state: now.state,
    scanned: now.scanned,
    declined: now.declined,
    secondsLeft: secondsLeft(now),
    noticeRead: await isNoticeRead(ctx.db, now.id),
  }
}

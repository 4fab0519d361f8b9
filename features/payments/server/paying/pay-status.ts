import type { Handler, Ctx } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { paymentsContract } from '../../contract.ts'
import { toPayStatus } from '../../words.ts'
import { selectOrderByNo, claimOrderQuery, type OrderRow } from '../data.ts'
import { isNoticeRead } from './data-notice-reads.ts'
import { computeSecondsLeft } from '../states/view.ts'
import { checkOrder } from './check-order.ts'

const MAX_WAIT_MS = 2500

/**
 * Queries the channel for a client that polls, at most once per `seconds` and order. A slow channel does not delay the page: a late
 * answer is applied when it arrives, and the next poll shows it.
 */
export async function queryWhileWatched(ctx: Ctx, order: OrderRow, seconds: number): Promise<void> {
  if (!(await claimOrderQuery(ctx.db, order.id, seconds))) return
  const asked = checkOrder(ctx, ctx.actor, order.id).catch((error: unknown) =>
    ctx.log.error({ err: error, orderNo: order.orderNo }, 'asking about an order failed'),
  )
  let timer: NodeJS.Timeout | undefined
  await Promise.race([
    asked,
    new Promise((resolve) => {
      timer = setTimeout(resolve, MAX_WAIT_MS)
    }),
  ])
  clearTimeout(timer)
}

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

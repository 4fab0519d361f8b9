import type { Ctx } from '#platform/server/feature.ts'
import { claimOrderQuery } from '../data.ts'
import type { OrderRow } from '../data.ts'
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

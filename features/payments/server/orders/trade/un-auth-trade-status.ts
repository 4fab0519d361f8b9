import type { Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { paymentsContract } from '../../../contract.ts'
import { toPayStatus } from '../../../words.ts'
import { selectOrderByNo } from '../../data.ts'
import { queryWhileWatched } from '../../paying/pay-status.ts'

const QUERY_SECONDS = 10

/** Payment status for a result page in a browser without a session: paid or not, and no other data. */
export const unAuthTradeStatus: Handler<typeof paymentsContract.unAuthTradeStatus> = async (ctx, { orderNo }) => {
  const order = (await selectOrderByNo(ctx.db, orderNo)) ?? fail('ORDER_NOT_FOUND')
  if (toPayStatus(order.state) !== 1) await queryWhileWatched(ctx, order, QUERY_SECONDS)
  const now = (await selectOrderByNo(ctx.db, orderNo)) ?? fail('ORDER_NOT_FOUND')
  return { orderNo: `${orderNo.slice(0, 9)}····${orderNo.slice(-4)}`, payStatus: toPayStatus(now.state) }
}

import type { Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { paymentsContract } from '../../../contract.ts'
import { payStatusOf } from '../../../words.ts'
import { orderByNo } from '../../data.ts'
import { askWhileWatching } from '../../paying/ask-while-watching.ts'

const ASK_SECONDS = 10

/** Payment status for a result page in a browser without a session: paid or not, and no other data. */
export const unAuthTradeStatus: Handler<typeof paymentsContract.unAuthTradeStatus> = async (ctx, { orderNo }) => {
  const order = (await orderByNo(ctx.db, orderNo)) ?? fail('ORDER_NOT_FOUND')
  if (payStatusOf(order.state) !== 1) await askWhileWatching(ctx, order, ASK_SECONDS)
  const now = (await orderByNo(ctx.db, orderNo)) ?? fail('ORDER_NOT_FOUND')
  return { orderNo: `${orderNo.slice(0, 9)}····${orderNo.slice(-4)}`, payStatus: payStatusOf(now.state) }
}

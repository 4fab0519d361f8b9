import type { Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { usd } from '#platform/shared/money.ts'
import { balanceOf } from '#features/wallet/server/door.ts'
import type { paymentsContract } from '../../../contract.ts'
import { orderByNo } from '../../data.ts'
import { orderView } from '../../states/view.ts'
import { askWhileWatching } from '../../paying/ask-while-watching.ts'

const ASK_SECONDS = 3

/** The whole order, for the receipt and the result page. */
export const tradeStatus: Handler<typeof paymentsContract.tradeStatus> = async (ctx, { orderNo }) => {
  const order = (await orderByNo(ctx.db, orderNo, ctx.userId)) ?? fail('ORDER_NOT_FOUND')
  await askWhileWatching(ctx, order, ASK_SECONDS)
  const now = (await orderByNo(ctx.db, orderNo, ctx.userId)) ?? fail('ORDER_NOT_FOUND')
  const { available } = await balanceOf(ctx.db, ctx.userId)
  return { ...orderView(now), balance: usd(available) }
}

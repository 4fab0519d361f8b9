import type { Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import type { paymentsContract } from '../../../contract.ts'
import { selectOrderByNo } from '../../data.ts'
import { toPaymentOrder } from '../../states/view.ts'
import { queryWhileWatched } from '../../paying/pay-status.ts'

const QUERY_SECONDS = 3

/** Returns the whole order, for the receipt and the result page. */
export const tradeStatus: Handler<typeof paymentsContract.tradeStatus> = async (ctx, { orderNo }) => {
  const order = (await selectOrderByNo(ctx.db, orderNo, ctx.userId)) ?? fail('ORDER_NOT_FOUND')
  await queryWhileWatched(ctx, order, QUERY_SECONDS)
  const now = (await selectOrderByNo(ctx.db, orderNo, ctx.userId)) ?? fail('ORDER_NOT_FOUND')
  const { available } = await readBalance(ctx.db, ctx.userId)
  return { ...toPaymentOrder(now), balance: formatUsd(available) }
}

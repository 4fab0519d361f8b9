import { crashPoint } from '#platform/server/crash.ts'
import type { Handler } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { requirePayouts } from '#features/account/server/door.ts'
import type { ordersContract } from '../../contract-orders.ts'
import { toPayStatus } from '../../words.ts'
import * as data from '../data.ts'
import { selectRefundById } from '../states/data-refunds.ts'
import { userRefunds } from '../settings.ts'
import { toOrderRefund } from './view-orders.ts'
import { readRefundTerms } from '../refunds/refundable-now.ts'
import { startRefund } from '../refunds/start-refund.ts'

/**
 * Requests a refund of unspent credit. By the setting, an operator decides or it is sent at once. The fee is not refunded, because the
 * channel keeps it too; the minimum balance of withdrawals applies.
 */
export const requestRefund: Handler<typeof ordersContract.refund> = async (ctx, { orderNo, amount, reason }) => {
  const mode = await ctx.settings.get(userRefunds)
  if (mode === 'off') fail('REFUND_CLOSED')
  const tx = ctx.tx // audited by startRefund
  await requirePayouts(tx, ctx.userId)
  const found = (await data.selectOrderByNo(tx, orderNo, ctx.userId)) ?? fail('ORDER_NOT_FOUND')
  const order = await data.lockOrder(tx, found.id)
  const started = await startRefund(tx, order, {
    ...(amount === undefined ? {} : { amount: parseUsd(amount) }),
    reason: reason || 'asked for by the user',
    state: mode === 'auto' ? 'approved' : 'requested',
    ...(await readRefundTerms(ctx, 'user')),
  })
  crashPoint('payments.refund-before-commit')
  const { state } = await data.lockOrder(tx, order.id)
  return { ...toOrderRefund((await selectRefundById(tx, started.id))!), orderNo, orderState: state, payStatus: toPayStatus(state) }
}

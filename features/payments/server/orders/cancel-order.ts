import type { Handler } from '#platform/server/feature.ts'
import { transact, type Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import type { paymentsContract } from '../../contract.ts'
import { PAYABLE, toPayStatus } from '../../words.ts'
import * as data from '../data.ts'
import { lockOrder, moveOrder, selectOrderByNo, scheduleCheck, type OrderRow } from '../data.ts'
import { lockDiscounted } from '../data-discounts.ts'
import { selectTrades } from '../trades/data-attempts.ts'
import { computeNextOrderCheck } from '../paying/check-order.ts'
import { crashPoint } from '#platform/server/crash.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { requirePayouts } from '#features/account/server/door.ts'
import type { ordersContract } from '../../contract-orders.ts'
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

/** Cancels an unpaid order. Its code may still be paid: that money is credited as late (P1). */
export const cancelOrder: Handler<typeof paymentsContract.cancelOrder> = async (ctx, { orderNo }) => {
  const found = (await selectOrderByNo(ctx.db, orderNo, ctx.userId)) ?? fail('ORDER_NOT_FOUND')
  const order = await transact(ctx.db, ctx.actor, async (tx) => {
    const locked = await lockOrder(tx, found.id)
    if (locked.state === 'cancelled') return locked
    if (!PAYABLE.includes(locked.state) || locked.source === 'auto') return fail('ORDER_NOT_CANCELLABLE')
    return cancelUnpaid(tx, locked, 'cancelled by the user')
  })
  return { orderNo, payStatus: toPayStatus(order.state), state: order.state }
}

async function cancelUnpaid(tx: Tx, order: OrderRow, reason: string): Promise<OrderRow> {
  const moved = await moveOrder(tx, order, { to: 'cancelled', reason })
  const trades = await selectTrades(tx, order.id)
  await scheduleCheck(tx, order.id, computeNextOrderCheck(moved, trades.length > 0))
  await tx.audit('order.cancelled', `order:${order.orderNo}`, { from: order.state })
  return moved
}

/**
 * Cancels the user's unpaid orders that carry the discount, because a user has only one. Money that still arrives for them is credited as
 * late.
 */
export async function cancelDiscountedOrders(tx: Tx, userId: string): Promise<void> {
  for (const order of await lockDiscounted(tx, userId)) await cancelUnpaid(tx, order, 'another order took its discount')
}

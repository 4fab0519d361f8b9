import type { Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import type { paymentsContract } from '../../contract.ts'
import { PAYABLE, toPayStatus } from '../../words.ts'
import { lockOrder, moveOrder, selectOrderByNo, scheduleCheck } from '../data.ts'
import type { OrderRow } from '../data.ts'
import { lockDiscounted } from '../data-discounts.ts'
import { selectTrades } from '../trades/data-attempts.ts'
import { computeNextOrderCheck } from '../paying/next-check.ts'

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

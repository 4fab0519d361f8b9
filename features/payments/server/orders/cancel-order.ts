import type { Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import type { paymentsContract } from '../../contract.ts'
import { PAYABLE, payStatusOf } from '../../words.ts'
import { lockOrder, moveOrder, orderByNo, scheduleCheck } from '../data.ts'
import { tradesOf } from '../paying/data-attempts.ts'
import { nextCheck } from '../paying/next-check.ts'

/** Gives an unpaid order up. Its code may still be paid: that money is credited as late (P1). */
export const cancelOrder: Handler<typeof paymentsContract.cancelOrder> = async (ctx, { orderNo }) => {
  const found = (await orderByNo(ctx.db, orderNo, ctx.userId)) ?? fail('ORDER_NOT_FOUND')
  const order = await transact(ctx.db, ctx.actor, async (tx) => {
    const locked = await lockOrder(tx, found.id)
    if (locked.state === 'cancelled') return locked
    if (!PAYABLE.includes(locked.state) || locked.source === 'auto') return fail('ORDER_NOT_CANCELLABLE')
    const moved = await moveOrder(tx, locked, 'cancelled', 'cancelled by the user')
    const trades = await tradesOf(tx, found.id)
    await scheduleCheck(tx, found.id, nextCheck(moved, trades.length > 0))
    await tx.audit('order.cancelled', `order:${orderNo}`, { from: locked.state })
    return moved
  })
  return { orderNo, payStatus: payStatusOf(order.state), state: order.state }
}

import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { OrderState } from '../../words.ts'
import * as data from '../data.ts'
import type { OrderRow } from '../data.ts'
import { findOrderKind, toSoldOrder } from '../kinds/index.ts'
import type { SoldOrder } from '../kinds/port.ts'
import { createRefundDaysLookup } from '../refunds/refundable-now.ts'
import { restateOrder } from '../states/restate-order.ts'
import { refundWholeOrder, recordHeldReturn } from '../refunds/start-refund.ts'
import type { StartRefundInput } from '../refunds/start-refund.ts'

/** Delivers a paid order through its service, in the transaction that booked the money. The order must be locked. */
export async function deliverOrder(tx: Tx, order: OrderRow, isLate: boolean): Promise<OrderRow> {
  const kind = findOrderKind(order.orderType)
  const outcome = (await kind?.fulfil(tx, toSoldOrder(order, isLate))) ?? 'later'
  if (outcome === 'impossible') return refundUndeliverable(tx, order, { reason: 'the service cannot deliver it' })
  if (outcome === 'later') return order
  if (!isLate) return data.moveOrder(tx, order, { to: 'fulfilled', reason: 'delivered' })
  await data.noteStep(tx, order, { event: 'fulfilled', reason: 'delivered late' })
  return order
}

/** Completes the delivery for services that answered `later`. Once; errors: ORDER_NOT_FOUND. */
export async function completeOrder(tx: Tx, orderNo: string): Promise<void> {
  const order = await lockByOrderNo(tx, orderNo)
  if (order.baseState === 'fulfilled') return
  await tx.audit('order.completed', `order:${orderNo}`)
  if (order.state === order.baseState) await data.moveOrder(tx, order, { to: 'fulfilled', reason: 'delivered' })
  else {
    await data.noteStep(tx, order, { event: 'fulfilled', reason: 'delivered' })
    await restateOrder(tx, await data.setBaseState(tx, order.id, 'fulfilled'), { reason: 'delivered' })
  }
}

/**
 * For services of kind `held`: records that part of an order was not delivered, or was taken back, and is in the balance again. The service
 * has moved the money; this updates the order and notifies its user.
 */
export async function undeliverOrder(tx: Tx, orderNo: string, { amount, reason }: { readonly amount: Nano; readonly reason: string }): Promise<void> {
  const order = await lockByOrderNo(tx, orderNo)
  await tx.audit('order.undelivered', `order:${orderNo}`, { amount: formatUsd(amount), reason })
  await recordHeldReturn(tx, order, { amount, reason })
}

/**
 * Locks an order before the ordered item, so that all callers lock in the same sequence. The state is stable until the transaction ends.
 */
export async function lockOrderByNo(tx: Tx, orderNo: string): Promise<OrderState> {
  return (await lockByOrderNo(tx, orderNo)).state
}

/**
 * Refunds the whole order for services that answered `later` and cannot deliver: over its channel, or to the balance if the channel no
 * longer refunds. Once; undefined if the order was delivered or refunded before. The service reverses its own work: `undo` is not called.
 */
export async function abandonOrder(
  deps: Deps,
  tx: Tx,
  { orderNo, reason }: { readonly orderNo: string; readonly reason: string },
): Promise<SoldOrder | undefined> {
  const order = await lockByOrderNo(tx, orderNo)
  if ((order.baseState !== 'paid' && order.baseState !== 'paid_late') || (await data.wasUndeliverable(tx, order.id))) return undefined
  await tx.audit('order.abandoned', `order:${orderNo}`, { reason })
  await refundUndeliverable(tx, order, { reason, days: createRefundDaysLookup(deps) })
  return toSoldOrder(order)
}

async function refundUndeliverable(
  tx: Tx,
  order: OrderRow,
  { reason, days }: { readonly reason: string; readonly days?: StartRefundInput['daysOf'] },
): Promise<OrderRow> {
  await data.noteStep(tx, order, { event: 'impossible', reason })
  return refundWholeOrder(tx, order, { reason, days })
}

async function lockByOrderNo(tx: Tx, orderNo: string): Promise<OrderRow> {
  const found = (await data.selectOrderByNo(tx, orderNo)) ?? fail('ORDER_NOT_FOUND')
  return data.lockOrder(tx, found.id)
}

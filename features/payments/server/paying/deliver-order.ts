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

/** Has the service deliver a paid order, in the transaction that booked its money. The order must be locked. */
export async function deliverOrder(tx: Tx, order: OrderRow, isLate: boolean): Promise<OrderRow> {
  const kind = findOrderKind(order.order_type)
  const outcome = (await kind?.fulfil(tx, toSoldOrder(order, isLate))) ?? 'later'
  if (outcome === 'impossible') return refundUndeliverable(tx, order, 'the service cannot deliver it')
  if (outcome === 'later') return order
  if (!isLate) return data.moveOrder(tx, order, 'fulfilled', 'delivered')
  await data.noteStep(tx, order, 'fulfilled', 'delivered late')
  return order
}

/** For services that answered `later`: the order is delivered. Once; errors: ORDER_NOT_FOUND. */
export async function completeOrder(tx: Tx, orderNo: string): Promise<void> {
  const order = await lockByOrderNo(tx, orderNo)
  if (order.base_state === 'fulfilled') return
  await tx.audit('order.completed', `order:${orderNo}`)
  if (order.state === order.base_state) await data.moveOrder(tx, order, 'fulfilled', 'delivered')
  else {
    await data.noteStep(tx, order, 'fulfilled', 'delivered')
    await restateOrder(tx, await data.setBaseState(tx, order.id, 'fulfilled'), 'delivered')
  }
}

/**
 * For services of kind `held`: so much of the order was not delivered, or was taken back, and stands in the balance again. The service has
 * moved the money; here the order says so, and its user hears of it.
 */
export async function undeliverOrder(tx: Tx, orderNo: string, amount: Nano, reason: string): Promise<void> {
  const order = await lockByOrderNo(tx, orderNo)
  await tx.audit('order.undelivered', `order:${orderNo}`, { amount: formatUsd(amount), reason })
  await recordHeldReturn(tx, order, amount, reason)
}

/** Locks an order before the thing that was ordered, so that every caller locks both in one direction. Its state holds until the transaction ends. */
export async function lockOrderByNo(tx: Tx, orderNo: string): Promise<OrderState> {
  return (await lockByOrderNo(tx, orderNo)).state
}

/**
 * For services that answered `later` and cannot deliver: all of the money goes back to where it came from, or to the balance where the
 * channel takes nothing back any more. Once; undefined where it was delivered or given back before. What the service has begun is its own
 * to undo: `undo` is not called.
 */
export async function abandonOrder(deps: Deps, tx: Tx, orderNo: string, reason: string): Promise<SoldOrder | undefined> {
  const order = await lockByOrderNo(tx, orderNo)
  if ((order.base_state !== 'paid' && order.base_state !== 'paid_late') || (await data.wasUndeliverable(tx, order.id))) return undefined
  await tx.audit('order.abandoned', `order:${orderNo}`, { reason })
  await refundUndeliverable(tx, order, reason, createRefundDaysLookup(deps))
  return toSoldOrder(order)
}

async function refundUndeliverable(tx: Tx, order: OrderRow, reason: string, days?: (channelType: number) => number): Promise<OrderRow> {
  await data.noteStep(tx, order, 'impossible', reason)
  return refundWholeOrder(tx, order, reason, days)
}

async function lockByOrderNo(tx: Tx, orderNo: string): Promise<OrderRow> {
  const found = (await data.selectOrderByNo(tx, orderNo)) ?? fail('ORDER_NOT_FOUND')
  return data.lockOrder(tx, found.id)
}

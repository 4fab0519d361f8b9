import { fail } from '#platform/shared/errors.ts'
import { BALANCE_CHANNEL_TYPE } from '../../words.ts'
import type { OrderRow } from '../data.ts'
import { apiRecharge } from './api-recharge.ts'
import type { OrderKind, SoldOrder } from './port.ts'

const kinds = new Map<number, OrderKind>([[apiRecharge.orderType, apiRecharge]])

/** Makes an order type orderable. A service calls it once, before the server listens. */
export function registerOrderKind(kind: OrderKind): void {
  const known = kinds.get(kind.orderType)
  if (known && known !== kind) throw new Error(`order type ${kind.orderType} has its service already`)
  kinds.set(kind.orderType, kind)
}

/** Undefined while no service sells it. */
export function findOrderKind(orderType: number): OrderKind | undefined {
  return kinds.get(orderType)
}

export function requireOrderKind(orderType: number): OrderKind {
  return kinds.get(orderType) ?? fail('ORDER_TYPE_CLOSED')
}

/** Every error that the price of some registered kind may refuse for. */
export const listKindRefusals = (): readonly string[] => [...new Set([...kinds.values()].flatMap(({ refusals = [] }) => refusals))].toSorted()

/** An order whose service is not here (yet) is kept as income and waits. */
export function resolveEarnings(orderType: number): OrderKind['earns'] {
  return findOrderKind(orderType)?.earns ?? 'service'
}

export function toSoldOrder(order: OrderRow, isLate = false): SoldOrder {
  const { order_no: orderNo, user_id: userId, order_type: orderType, channel_type: channelType, amount_nano: amount, wishes } = order
  return { orderNo, userId, orderType, channelType, amount, wishes, isLate, fromBalance: channelType === BALANCE_CHANNEL_TYPE }
}

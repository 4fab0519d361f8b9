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

/** Undefined until a service registers the order type. */
export function findOrderKind(orderType: number): OrderKind | undefined {
  return kinds.get(orderType)
}

export function requireOrderKind(orderType: number): OrderKind {
  return kinds.get(orderType) ?? fail('ORDER_TYPE_CLOSED')
}

/** Names of all errors that the price of a registered kind may throw. */
export const listKindRefusals = (): readonly string[] => [...new Set([...kinds.values()].flatMap(({ refusals = [] }) => refusals))].toSorted()

/** Paid money of an order without a registered service is kept as income, and the order waits. */
export function resolveEarnings(orderType: number): OrderKind['earns'] {
  return findOrderKind(orderType)?.earns ?? 'service'
}

export function toSoldOrder(order: OrderRow, isLate = false): SoldOrder {
  const { orderNo, userId, orderType, channelType, amountNano: amount, wishes } = order
  return { orderNo, userId, orderType, channelType, amount, wishes, isLate, fromBalance: channelType === BALANCE_CHANNEL_TYPE }
}

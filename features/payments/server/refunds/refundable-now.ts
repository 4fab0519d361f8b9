import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { parseUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { orderByNo } from '../data.ts'
import type { OrderRow } from '../data.ts'
import { channelById } from '../vendors/index.ts'
import { withdrawKeep } from '../settings.ts'
import { bestRefundable } from './start-refund.ts'
import type { RefundWish } from './start-refund.ts'

/** Terms of a refund. A user's takes unspent credit only and leaves the minimum balance; an operator's takes all that is left. */
export async function refundTerms(deps: Pick<Deps, 'config' | 'settings'>, by: 'user' | 'operator'): Promise<Pick<RefundWish, 'sources' | 'daysOf' | 'keep'>> {
  if (by === 'operator') return { daysOf: daysOf(deps) }
  return { sources: ['balance'], daysOf: daysOf(deps), keep: parseUsd(await deps.settings.get(withdrawKeep)) }
}

/** Largest refund of an order accepted now, in nano-dollars. */
export async function refundableOf(deps: Pick<Deps, 'config' | 'settings'>, sql: Sql, order: OrderRow, by: 'user' | 'operator'): Promise<Nano> {
  const best = await bestRefundable(sql, order, await refundTerms(deps, by))
  if (!best || best.minorLeft <= 0n) return 0n
  return by === 'user' ? best.most : best.left
}

/** The same for an operator, by the order's number. */
export async function refundableNow(deps: Pick<Deps, 'config' | 'settings'>, sql: Sql, orderNo: string): Promise<Nano> {
  const order = await orderByNo(sql, orderNo)
  return order ? refundableOf(deps, sql, order, 'operator') : 0n
}

/** Days for which a channel takes a payment back; none when it is not connected any more. */
export function daysOf({ config }: Pick<Deps, 'config'>): (channelType: number) => number {
  return (channelType) => channelById(config, channelType)?.manifest.supports.refundDays ?? 0
}

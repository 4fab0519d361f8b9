import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { parseUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { selectOrderByNo } from '../data.ts'
import type { OrderRow } from '../data.ts'
import { findChannelById } from '../vendors/index.ts'
import { withdrawKeep } from '../settings.ts'
import { findBestRefundable } from './start-refund.ts'
import type { StartRefundInput } from './start-refund.ts'

/** Terms of a refund. A user's refund takes only unspent credit and leaves the minimum balance; an operator's takes all that is left. */
export async function readRefundTerms(
  deps: Pick<Deps, 'config' | 'settings'>,
  by: 'user' | 'operator',
): Promise<Pick<StartRefundInput, 'sources' | 'daysOf' | 'keep'>> {
  if (by === 'operator') return { daysOf: createRefundDaysLookup(deps) }
  return { sources: ['balance'], daysOf: createRefundDaysLookup(deps), keep: parseUsd(await deps.settings.get(withdrawKeep)) }
}

/** Largest refund of an order accepted now, in nano-dollars. */
export async function computeRefundable(
  deps: Pick<Deps, 'config' | 'settings'>,
  sql: Sql,
  { order, by }: { readonly order: OrderRow; readonly by: 'user' | 'operator' },
): Promise<Nano> {
  const best = await findBestRefundable(sql, order, await readRefundTerms(deps, by))
  if (!best || best.minorLeft <= 0n) return 0n
  return by === 'user' ? best.most : best.left
}

/** Largest refund that an operator can make now, by order number. */
export async function computeRefundableByNo(deps: Pick<Deps, 'config' | 'settings'>, sql: Sql, orderNo: string): Promise<Nano> {
  const order = await selectOrderByNo(sql, orderNo)
  return order ? computeRefundable(deps, sql, { order, by: 'operator' }) : 0n
}

/** Days within which a channel refunds a payment by a method; none if it is no longer connected. */
export function createRefundDaysLookup(deps: Pick<Deps, 'config'>): (channelType: number, transactionType: number) => number {
  return (channelType, transactionType) => {
    const manifest = findChannelById(deps, channelType)?.manifest
    const method = manifest?.methods.find((each) => each.transactionType === transactionType)
    return method?.refundDays ?? manifest?.supports.refundDays ?? 0
  }
}

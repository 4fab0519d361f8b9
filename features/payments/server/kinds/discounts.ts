import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'
import { discountFor } from '../../figures.ts'
import { hasHadDiscount, hasPaid } from '../data-discounts.ts'
import { needKind } from './index.ts'

/** What a user gets off the first top-up, in nano-dollars; 0n for nothing. */
export type FirstDiscount = (deps: Deps, sql: Sql, userId: string) => Promise<Nano>

let first: FirstDiscount | undefined

/** A feature that gives one calls it once, before the server listens. */
export function registerFirstDiscount(discount: FirstDiscount): void {
  if (first && first !== discount) throw new Error('the first top-up has its discount already')
  first = discount
}

/** What the user would get off a top-up of any amount now: nothing after the first payment, to a person's second account, and off services. */
export async function discountOffered(deps: Deps, sql: Sql, userId: string, orderType: number): Promise<Nano> {
  if (!first || needKind(orderType).earns !== 'credit' || (await hasPaid(sql, userId))) return 0n
  const offered = await first(deps, sql, userId)
  return offered > 0n && (await hasHadDiscount(sql, userId)) ? 0n : offered
}

/** The same of an amount, decimal text. */
export async function discountOf(deps: Deps, sql: Sql, userId: string, orderType: number, amount: string): Promise<Nano> {
  return discountFor(amount, await discountOffered(deps, sql, userId, orderType))
}

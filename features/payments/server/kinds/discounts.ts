import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'
import { isMarked } from '#features/risk/server/door.ts'
import { BALANCE_CHANNEL } from '../../words.ts'
import { hasHadDiscount, hasPaid } from '../data-discounts.ts'
import { channelById } from '../vendors/index.ts'
import { needKind } from './index.ts'

/** What a user gets off the first top-up, in nano-dollars; 0n for nothing. */
export type FirstDiscount = (deps: Deps, sql: Sql, userId: string) => Promise<Nano>

let first: FirstDiscount | undefined

/** A feature that gives one calls it once, before the server listens. */
export function registerFirstDiscount(discount: FirstDiscount): void {
  if (first && first !== discount) throw new Error('the first top-up has its discount already')
  first = discount
}

export interface Asked {
  readonly userId: string
  readonly orderType: number
  readonly channelType: number
  /** Where none is chosen yet, what holds for each method of the channel. */
  readonly transactionType?: number
}

/**
 * What the user would get off a top-up of any amount at a channel now: nothing after the first payment, to a person's second account, and off
 * services. Where a channel does not say who pays, only to somebody whose papers are known: else each new mailbox would be a new person.
 */
export async function discountOffered(deps: Deps, sql: Sql, { userId, orderType, channelType, transactionType }: Asked): Promise<Nano> {
  if (!first || channelType === BALANCE_CHANNEL || needKind(orderType).earns !== 'credit' || (await hasPaid(sql, userId))) return 0n
  const offered = await first(deps, sql, userId)
  if (offered === 0n || (await hasHadDiscount(sql, userId))) return 0n
  const methods = channelById(deps.config, channelType)?.manifest.methods.filter(
    (one) => transactionType === undefined || one.transactionType === transactionType,
  )
  const isNamed = methods?.every(({ anonymous }) => !anonymous) ?? false
  return isNamed || (await isMarked(sql, userId, ['person'])) ? offered : 0n
}

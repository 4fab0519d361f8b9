import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'
import { hasMark } from '#features/risk/server/door.ts'
import { BALANCE_CHANNEL_TYPE } from '../../words.ts'
import { hasHadDiscount, hasPaidByChannel } from '../data-discounts.ts'
import { findChannelById } from '../vendors/index.ts'
import { requireOrderKind } from './index.ts'

/** Returns a user's discount on the first top-up, in nano-dollars; 0n for none. */
export type FirstDiscount = (deps: Deps, sql: Sql, userId: string) => Promise<Nano>

let firstDiscount: FirstDiscount | undefined

/** Registers the discount. The feature that grants it calls this once, before the server listens. */
export function registerFirstDiscount(discount: FirstDiscount): void {
  if (firstDiscount && firstDiscount !== discount) throw new Error('the first top-up has its discount already')
  firstDiscount = discount
}

export interface DiscountQuery {
  readonly userId: string
  readonly orderType: number
  readonly channelType: number
  /** Absent before a method is chosen: the discount must then hold for every method of the channel. */
  readonly transactionType?: number
}

/**
 * Discount that the user would get on a top-up at a channel now. None after the first payment, for a person's second account or for
 * services. Where a channel does not identify its payer, only users with a verified identity get it: otherwise each new mailbox
 * would be a new person.
 */
export async function computeOfferedDiscount(deps: Deps, sql: Sql, { userId, orderType, channelType, transactionType }: DiscountQuery): Promise<Nano> {
  if (!firstDiscount || channelType === BALANCE_CHANNEL_TYPE || requireOrderKind(orderType).earns !== 'credit' || (await hasPaidByChannel(sql, userId)))
    return 0n
  const offered = await firstDiscount(deps, sql, userId)
  if (offered === 0n || (await hasHadDiscount(sql, userId))) return 0n
  const methods = findChannelById(deps, channelType)?.manifest.methods.filter((one) => transactionType === undefined || one.transactionType === transactionType)
  const isNamed = methods?.every(({ anonymous }) => !anonymous) ?? false
  return isNamed || (await hasMark(sql, userId, ['person'])) ? offered : 0n
}

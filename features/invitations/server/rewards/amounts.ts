import { parseUsd, shareOf, usd, wholeCents } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { RuleRow } from '../data.ts'

/** What a reward is worth, and the line that says how it came about. */
export interface Worth {
  readonly amount: Nano
  readonly rate: string
}

/** By the count of the quarter, this one included: raising a tier never re-prices what went before. */
export function directWorth(rule: Pick<RuleRow, 'reward_nano' | 'tiers'>, number: number): Worth {
  const tier = rule.tiers?.findLast(({ from }) => number >= from)
  const amount = tier ? parseUsd(tier.reward) : rule.reward_nano
  return { amount, rate: tier && tier !== rule.tiers?.[0] ? `tier ${tier.from}: ${usd(amount)}` : `${usd(amount)} each` }
}

/** What was negotiated holds whatever the count of the quarter. */
export const negotiatedWorth = (amount: Nano): Worth => ({ amount, rate: `negotiated: ${usd(amount)} each` })

export function secondWorth(rule: Pick<RuleRow, 'second_nano'>): Worth | undefined {
  return rule.second_nano === null ? undefined : { amount: rule.second_nano, rate: `${usd(rule.second_nano)} each` }
}

/** A share of the cash, whole cents, rounded down; nothing where that leaves nothing. */
export function cashbackWorth(rule: Pick<RuleRow, 'cashback_percent'>, base: Nano): Worth | undefined {
  if (rule.cashback_percent === null) return undefined
  const amount = wholeCents(shareOf(base, parseUsd(rule.cashback_percent), parseUsd('100')))
  return amount > 0n ? { amount, rate: `${rule.cashback_percent}% of ${usd(base)}` } : undefined
}

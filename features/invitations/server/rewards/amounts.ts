import { parseUsd, shareOf, usd, wholeCents } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { RuleRow } from '../data.ts'

/** Amount of a reward, and the line that explains it. */
export interface Worth {
  readonly amount: Nano
  readonly rate: string
}

/** Amount by the count of the quarter, including this one: reaching a tier never changes earlier rewards. */
export function directWorth(rule: Pick<RuleRow, 'reward_nano' | 'tiers'>, number: number): Worth {
  const tier = rule.tiers?.findLast(({ from }) => number >= from)
  const amount = tier ? parseUsd(tier.reward) : rule.reward_nano
  return { amount, rate: tier && tier !== rule.tiers?.[0] ? `tier ${tier.from}: ${usd(amount)}` : `${usd(amount)} each` }
}

/** Amount of a negotiated rate, whatever the count of the quarter. */
export const negotiatedWorth = (amount: Nano): Worth => ({ amount, rate: `negotiated: ${usd(amount)} each` })

export function secondWorth(rule: Pick<RuleRow, 'second_nano'>): Worth | undefined {
  return rule.second_nano === null ? undefined : { amount: rule.second_nano, rate: `${usd(rule.second_nano)} each` }
}

/** Percentage of the cash in whole cents, rounded down; undefined if that is zero. */
export function cashbackWorth(rule: Pick<RuleRow, 'cashback_percent'>, base: Nano): Worth | undefined {
  if (rule.cashback_percent === null) return undefined
  const amount = wholeCents(shareOf(base, parseUsd(rule.cashback_percent), parseUsd('100')))
  return amount > 0n ? { amount, rate: `${rule.cashback_percent}% of ${usd(base)}` } : undefined
}

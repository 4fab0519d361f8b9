import { parseUsd, computePartShare, formatUsd, floorToCents } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { RuleRow } from '../data.ts'

/** Amount of a reward, and the line that explains it. */
export interface RewardAmount {
  readonly amount: Nano
  readonly rate: string
}

/** Amount by the count of the quarter, including this one: reaching a tier never changes earlier rewards. */
export function computeDirectReward(rule: Pick<RuleRow, 'reward_nano' | 'tiers'>, number: number): RewardAmount {
  const tier = rule.tiers?.findLast(({ from }) => number >= from)
  const amount = tier ? parseUsd(tier.reward) : rule.reward_nano
  return { amount, rate: tier && tier !== rule.tiers?.[0] ? `tier ${tier.from}: ${formatUsd(amount)}` : `${formatUsd(amount)} each` }
}

/** Amount of a negotiated rate, whatever the count of the quarter. */
export const buildNegotiatedReward = (amount: Nano): RewardAmount => ({ amount, rate: `negotiated: ${formatUsd(amount)} each` })

export function computeSecondReward(rule: Pick<RuleRow, 'second_nano'>): RewardAmount | undefined {
  return rule.second_nano === null ? undefined : { amount: rule.second_nano, rate: `${formatUsd(rule.second_nano)} each` }
}

/** Percentage of the cash in whole cents, rounded down; undefined if that is zero. */
export function computeCashback(rule: Pick<RuleRow, 'cashback_percent'>, base: Nano): RewardAmount | undefined {
  if (rule.cashback_percent === null) return undefined
  const amount = floorToCents(computePartShare(base, parseUsd(rule.cashback_percent), parseUsd('100')))
  return amount > 0n ? { amount, rate: `${rule.cashback_percent}% of ${formatUsd(base)}` } : undefined
}

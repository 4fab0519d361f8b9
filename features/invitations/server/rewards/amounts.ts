import { parseUsd, computePartShare, formatUsd, floorToCents } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { RuleRow } from '../data.ts'

/** Amount of a reward, and the line that explains it. */
export interface RewardAmount {
  readonly amount: Nano
  readonly rate: string
}

/** Amount by the count of the quarter, including this one: reaching a tier never changes earlier rewards. */
export function computeDirectReward(rule: Pick<RuleRow, 'rewardNano' | 'tiers'>, number: number): RewardAmount {
  const tier = rule.tiers?.findLast(({ from }) => number >= from)
  const amount = tier ? parseUsd(tier.reward) : rule.rewardNano
  return { amount, rate: tier && tier !== rule.tiers?.[0] ? `tier ${tier.from}: ${formatUsd(amount)}` : `${formatUsd(amount)} each` }
}

/** Amount of a negotiated rate, whatever the count of the quarter. */
export const buildNegotiatedReward = (amount: Nano): RewardAmount => ({ amount, rate: `negotiated: ${formatUsd(amount)} each` })

export function computeSecondReward(rule: Pick<RuleRow, 'secondNano'>): RewardAmount | undefined {
  return rule.secondNano === null ? undefined : { amount: rule.secondNano, rate: `${formatUsd(rule.secondNano)} each` }
}

/** Percentage of the cash in whole cents, rounded down; undefined if that is zero. */
export function computeCashback(rule: Pick<RuleRow, 'cashbackPercent'>, base: Nano): RewardAmount | undefined {
  if (rule.cashbackPercent === null) return undefined
  const amount = floorToCents(computePartShare(base, parseUsd(rule.cashbackPercent), parseUsd('100')))
  return amount > 0n ? { amount, rate: `${rule.cashbackPercent}% of ${formatUsd(base)}` } : undefined
}

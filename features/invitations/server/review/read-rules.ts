import type { Handler } from '#platform/server/feature.ts'
import { formatUsd } from '#platform/shared/money.ts'
import type { reviewContract } from '../../contract.console.ts'
import { selectAllRules } from '../data.ts'
import { PROGRAMME_SCOPE } from '../rewards/book.ts'
import { selectUsedBudgets } from '../rewards/data-lists.ts'
import { readCurrentRule } from '../rules/rules.ts'

/** For operators: all versions of the rules, and the used budget of the month. */
export const readInvitationRules: Handler<typeof reviewContract.rules> = async ({ db }) => {
  const versions = (await selectAllRules(db)).map((rule) => ({
    ...{ version: rule.version, effectiveAt: rule.effective_at.toISOString(), by: rule.actor },
    ...{
      reward: formatUsd(rule.reward_nano),
      discount: formatUsd(rule.discount_nano),
      threshold: formatUsd(rule.threshold_nano),
      withdrawMin: formatUsd(rule.withdraw_min_nano),
    },
    ...{ holdDays: rule.hold_days, keepDays: rule.keep_days, inviterCap: formatUsd(rule.inviter_cap_nano), programmeCap: formatUsd(rule.programme_cap_nano) },
    tiers: rule.tiers && [...rule.tiers],
    ...{ second: rule.second_nano === null ? null : formatUsd(rule.second_nano), cashbackPercent: rule.cashback_percent },
  }))
  const [month] = await selectUsedBudgets(db, [PROGRAMME_SCOPE])
  return { versions, month: { used: formatUsd(month?.used ?? 0n), cap: formatUsd((await readCurrentRule(db)).programme_cap_nano) } }
}

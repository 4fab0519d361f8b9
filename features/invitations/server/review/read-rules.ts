import type { Handler } from '#platform/server/feature.ts'
import { usd } from '#platform/shared/money.ts'
import type { reviewContract } from '../../contract.console.ts'
import { allRules } from '../data.ts'
import { PROGRAMME } from '../rewards/book.ts'
import { budgetsLeft } from '../rewards/data-lists.ts'
import { ruleNow } from '../rules/rules.ts'

/** For operators: all versions, and how full the month is. */
export const readRules: Handler<typeof reviewContract.rules> = async ({ db }) => {
  const versions = (await allRules(db)).map((rule) => ({
    ...{ version: rule.version, effectiveAt: rule.effective_at.toISOString(), by: rule.actor },
    ...{ reward: usd(rule.reward_nano), discount: usd(rule.discount_nano), threshold: usd(rule.threshold_nano), withdrawMin: usd(rule.withdraw_min_nano) },
    ...{ holdDays: rule.hold_days, keepDays: rule.keep_days, inviterCap: usd(rule.inviter_cap_nano), programmeCap: usd(rule.programme_cap_nano) },
    tiers: rule.tiers && [...rule.tiers],
    ...{ second: rule.second_nano === null ? null : usd(rule.second_nano), cashbackPercent: rule.cashback_percent },
  }))
  const [month] = await budgetsLeft(db, [PROGRAMME])
  return { versions, month: { used: usd(month?.used ?? 0n), cap: usd((await ruleNow(db)).programme_cap_nano) } }
}

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
    ...{ version: rule.version, effectiveAt: rule.effectiveAt.toISOString(), by: rule.actor },
    ...{
      reward: formatUsd(rule.rewardNano),
      discount: formatUsd(rule.discountNano),
      threshold: formatUsd(rule.thresholdNano),
      withdrawMin: formatUsd(rule.withdrawMinNano),
    },
    ...{ holdDays: rule.holdDays, keepDays: rule.keepDays, inviterCap: formatUsd(rule.inviterCapNano), programmeCap: formatUsd(rule.programmeCapNano) },
    tiers: rule.tiers && [...rule.tiers],
    ...{ second: rule.secondNano === null ? null : formatUsd(rule.secondNano), cashbackPercent: rule.cashbackPercent },
  }))
  const [month] = await selectUsedBudgets(db, [PROGRAMME_SCOPE])
  return { versions, month: { used: formatUsd(month?.used ?? 0n), cap: formatUsd((await readCurrentRule(db)).programmeCapNano) } }
}

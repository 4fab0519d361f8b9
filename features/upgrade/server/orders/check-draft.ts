import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { multiplyNano } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { computeCostOnCard } from '#features/cards/server/door.ts'
import { readServicePrice } from '#features/services/server/door.ts'
import { findLinkProblem, findMailProblem, MAX_SEATS, findUpgradePlan, isSeatCountAllowed } from '../../plans.ts'
import type { UpgradePlan } from '../../plans.ts'
import { hasOtherOpenUpgrade, findLastUpgradeRefusal } from '../data.ts'
import type { UpgradeOrder } from '../data.ts'
import { UPGRADE } from '../service.ts'
import { upgradeLimits, upgradeServices } from '../settings.ts'

type DraftInput = Pick<UpgradeOrder, 'id' | 'plan' | 'seats' | 'account' | 'link'>

/** Validates a draft and throws its first problem; `whole` also rejects missing fields. */
export async function checkDraft(deps: Deps, sql: Sql, { draft, whole }: { readonly draft: DraftInput; readonly whole: boolean }): Promise<UpgradePlan> {
  const plan = findUpgradePlan(draft.plan) ?? fail('SERVICE_UNKNOWN')
  if (!isSeatCountAllowed(plan, draft.seats)) fail('UPGRADE_SEATS', { least: plan.team ?? 1, most: plan.team ? MAX_SEATS : 1 })
  const mail = findMailProblem(draft.account)
  if (mail && (whole || mail !== 'empty')) fail('UPGRADE_MAIL', { problem: mail })
  await checkLink(deps, plan, { link: draft.link, whole })
  if (!mail) await refuseDuringWait(deps, sql, { plan, account: draft.account })
  if (await hasOtherOpenUpgrade(sql, { ...draft, service: plan.service })) fail('UPGRADE_TWICE')
  return plan
}

export async function checkLink(
  deps: Pick<Deps, 'settings'>,
  plan: UpgradePlan,
  { link, whole = true }: { readonly link: string; readonly whole?: boolean },
): Promise<void> {
  const { hosts } = (await deps.settings.get(upgradeServices))[plan.service] ?? fail('SERVICE_UNKNOWN')
  const problem = findLinkProblem(link, hosts)
  if (problem && (whole || problem !== 'empty')) fail('UPGRADE_LINK', { problem })
}

/** Refuses an account during the waiting time after a risk control refusal, for any member. */
async function refuseDuringWait(deps: Deps, sql: Sql, { plan, account }: { readonly plan: UpgradePlan; readonly account: string }): Promise<void> {
  const refused = await findLastUpgradeRefusal(sql, plan.service, account)
  if (!refused) return
  const { riskHours: hours } = await deps.settings.get(upgradeLimits)
  const until = new Date(refused.getTime() + hours * 3_600_000)
  if (until > deps.clock.now()) fail('UPGRADE_WAIT', { until: until.toISOString(), hours })
}

export interface UpgradeCost {
  readonly amount: Nano
  readonly fee: Nano
  readonly total: Nano
}

/** The merchant's charge, and the card's fee for it. */
export async function computeUpgradeCost(deps: Deps, plan: UpgradePlan, seats: number): Promise<UpgradeCost> {
  const { country } = (await deps.settings.get(upgradeServices))[plan.service] ?? fail('SERVICE_UNKNOWN')
  const amount = multiplyNano(await readServicePrice(deps, UPGRADE, plan.id), seats * plan.months)
  return { amount, ...(await computeCostOnCard(deps, country, amount)) }
}

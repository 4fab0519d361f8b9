import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { times } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { costOnCard } from '#features/cards/server/door.ts'
import { priceOf } from '#features/services/server/door.ts'
import { linkProblem, mailProblem } from '../../check-input.ts'
import { MOST_SEATS, planOf, seatsAllowed } from '../../plans.ts'
import type { Plan } from '../../plans.ts'
import { goesOn, lastRefused } from '../data.ts'
import type { Order } from '../data.ts'
import { UPGRADE } from '../service.ts'
import { upgradeLimits, upgradeServices } from '../settings.ts'

type Typed = Pick<Order, 'id' | 'plan' | 'seats' | 'account' | 'link'>

/** Validates a draft and throws its first problem; `whole` also rejects missing fields. */
export async function checkDraft(deps: Deps, sql: Sql, draft: Typed, whole: boolean): Promise<Plan> {
  const plan = planOf(draft.plan) ?? fail('SERVICE_UNKNOWN')
  if (!seatsAllowed(plan, draft.seats)) fail('UPGRADE_SEATS', { least: plan.team ?? 1, most: plan.team ? MOST_SEATS : 1 })
  const mail = mailProblem(draft.account)
  if (mail && (whole || mail !== 'empty')) fail('UPGRADE_MAIL', { problem: mail })
  await checkLink(deps, plan, draft.link, whole)
  if (!mail) await refuseEarly(deps, sql, plan, draft.account)
  if (await goesOn(sql, { ...draft, service: plan.service })) fail('UPGRADE_TWICE')
  return plan
}

export async function checkLink(deps: Pick<Deps, 'settings'>, plan: Plan, link: string, whole = true): Promise<void> {
  const { hosts } = (await deps.settings.get(upgradeServices))[plan.service] ?? fail('SERVICE_UNKNOWN')
  const problem = linkProblem(link, hosts)
  if (problem && (whole || problem !== 'empty')) fail('UPGRADE_LINK', { problem })
}

/** Refuses an account during the waiting time after a risk control refusal, for any member. */
async function refuseEarly(deps: Deps, sql: Sql, plan: Plan, account: string): Promise<void> {
  const refused = await lastRefused(sql, plan.service, account)
  if (!refused) return
  const { riskHours: hours } = await deps.settings.get(upgradeLimits)
  const until = new Date(refused.getTime() + hours * 3_600_000)
  if (until > deps.clock.now()) fail('UPGRADE_WAIT', { until: until.toISOString(), hours })
}

export interface Cost {
  readonly amount: Nano
  readonly fee: Nano
  readonly total: Nano
}

/** The merchant's charge, and the card's fee for it. */
export async function costOf(deps: Deps, plan: Plan, seats: number): Promise<Cost> {
  const { country } = (await deps.settings.get(upgradeServices))[plan.service] ?? fail('SERVICE_UNKNOWN')
  const amount = times(await priceOf(deps, UPGRADE, plan.id), seats * plan.months)
  return { amount, ...(await costOnCard(deps, country, amount)) }
}

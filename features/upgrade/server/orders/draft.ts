import type { Ctx, Handler } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { createRandomCode } from '#platform/shared/ids.ts'
import { divideUp, formatMinor, toMinorUnits, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { listCardsForTask } from '#features/cards/server/door.ts'
import { readExchangeRate } from '#features/payments/server/door.ts'
import { requireServiceOpen } from '#features/services/server/door.ts'
import type { CardChoice, upgradeContract } from '../../contract.ts'
import { findUpgradePlan } from '../../plans.ts'
import { countCardAccounts, deleteUpgradeDraft, upsertUpgradeDraft, findUpgradeOrder } from '../data.ts'
import type { UpgradeOrder } from '../data.ts'
import { upgradeService } from '../service.ts'
import { upgradeLimits } from '../settings.ts'
import { checkDraft, computeUpgradeCost } from './check-draft.ts'
import type { UpgradeCost } from './check-draft.ts'
import { buildUpgradeRow } from './view.ts'

type C = typeof upgradeContract

export const createUpgradeId = (): string => `upg_${createRandomCode(16).toLowerCase()}`

/** Saves the draft; a member has one draft across all browsers. */
export const bindTask: Handler<C['bindTask']> = async (ctx, { plan, seats, account, link }) => {
  // A draft queued at this moment keeps its id, and the new one gets its own
  const id = createUpgradeId()
  const { service } = await checkDraft(ctx, ctx.db, { draft: { id, plan, seats, account, link }, whole: false })
  await requireServiceOpen(ctx, upgradeService, { task: { userId: ctx.userId, product: plan, facts: {} } })
  const kept = await transact(ctx.db, ctx.actor, async (tx) => {
    const draft = await upsertUpgradeDraft(tx, id, { userId: ctx.userId, fields: { plan, service, seats, account, link } })
    await tx.audit('upgrade.drafted', `upgrade:${draft.id}`, { plan, seats })
    return draft
  })
  return buildUpgradeRow(ctx, ctx.db, kept)
}

export const upgradeForget: Handler<C['upgradeForget']> = async (ctx, { id }) => {
  await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await deleteUpgradeDraft(tx, id, ctx.userId))) fail('UPGRADE_UNKNOWN')
    await tx.audit('upgrade.forgotten', `upgrade:${id}`)
  })
  return {}
}

export const bindTaskCardCheck: Handler<C['bindTaskCardCheck']> = async (ctx, { id }) => {
  const order = (await findUpgradeOrder(ctx.db, id, ctx.userId)) ?? fail('UPGRADE_UNKNOWN')
  const cost = await computeUpgradeCost(ctx, findUpgradePlan(order.plan) ?? fail('SERVICE_UNKNOWN'), order.seats)
  const rate = await readExchangeRate(ctx.settings)
  const { accounts: most, days } = await ctx.settings.get(upgradeLimits)
  return {
    cards: await listCardChoices(ctx, ctx.db, { order, cost }),
    ...{
      amount: formatUsd(cost.amount),
      fee: formatUsd(cost.fee),
      total: formatUsd(cost.total),
      rate,
      totalCny: formatMinor(toMinorUnits(cost.total, rate)),
      most,
      days,
    },
  }
}

/** The member's cards with their problems, the current card first. */
export async function listCardChoices(
  ctx: Ctx,
  sql: Sql,
  { order, cost }: { readonly order: UpgradeOrder; readonly cost: UpgradeCost },
): Promise<CardChoice[]> {
  const { accounts: most, days } = await ctx.settings.get(upgradeLimits)
  const cards = await listCardsForTask(ctx, sql, { userId: ctx.userId, cost: { service: order.service, total: cost.total } })
  return Promise.all(
    cards.map(async ({ id, type, last4, available, problem, missing, recharge }) => {
      const accounts = await countCardAccounts(sql, id, { service: order.service, account: order.account, days })
      // A missing amount can be topped up on the spot, so other problems come first
      const first = accounts >= most && (problem === undefined || problem === 'short') ? ('full' as const) : (problem ?? null)
      return {
        id,
        type,
        last4,
        available: formatUsd(available),
        problem: first,
        missing: formatUsd(missing),
        recharges: countRecharges(missing, recharge),
        accounts,
      }
    }),
  )
}

/** Number of recharges for the missing amount. */
function countRecharges(missing: Nano, recharge: { readonly max: Nano } | undefined): CardChoice['recharges'] {
  if (!recharge || recharge.max <= 0n) return null
  return { most: formatUsd(recharge.max), count: Number(divideUp(missing, recharge.max)) }
}

import type { Ctx, Handler } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { randomCode } from '#platform/shared/ids.ts'
import { divideUp, minorText, toMinorUnits, usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { cardsForTask } from '#features/cards/server/door.ts'
import { rateNow } from '#features/payments/server/door.ts'
import { refuseClosed } from '#features/services/server/door.ts'
import type { CardChoice, upgradeContract } from '../../contract.ts'
import { planOf } from '../../plans.ts'
import { accountsOn, deleteDraft, keepDraft, orderById } from '../data.ts'
import type { Order } from '../data.ts'
import { upgradeService } from '../service.ts'
import { upgradeLimits } from '../settings.ts'
import { checkDraft, costOf } from './check-draft.ts'
import type { Cost } from './check-draft.ts'
import { orderView } from './view.ts'

type C = typeof upgradeContract

export const newUpgradeId = (): string => `upg_${randomCode(16).toLowerCase()}`

/** Saves the draft; a member has one draft across all browsers. */
export const bindTask: Handler<C['bindTask']> = async (ctx, { plan, seats, account, link }) => {
  // A draft queued at this moment keeps its id, and the new one gets its own
  const id = newUpgradeId()
  const { service } = await checkDraft(ctx, ctx.db, { id, plan, seats, account, link }, false)
  await refuseClosed(ctx, upgradeService, { user_id: ctx.userId, product: plan, facts: {} })
  const kept = await transact(ctx.db, ctx.actor, async (tx) => {
    const draft = await keepDraft(tx, id, ctx.userId, { plan, service, seats, account, link })
    await tx.audit('upgrade.drafted', `upgrade:${draft.id}`, { plan, seats })
    return draft
  })
  return orderView(ctx, ctx.db, kept)
}

export const upgradeForget: Handler<C['upgradeForget']> = async (ctx, { id }) => {
  await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await deleteDraft(tx, id, ctx.userId))) fail('UPGRADE_UNKNOWN')
    await tx.audit('upgrade.forgotten', `upgrade:${id}`)
  })
  return {}
}

export const bindTaskCardCheck: Handler<C['bindTaskCardCheck']> = async (ctx, { id }) => {
  const order = (await orderById(ctx.db, id, ctx.userId)) ?? fail('UPGRADE_UNKNOWN')
  const cost = await costOf(ctx, planOf(order.plan) ?? fail('SERVICE_UNKNOWN'), order.seats)
  const rate = await rateNow(ctx.settings)
  const { accounts: most, days } = await ctx.settings.get(upgradeLimits)
  return {
    cards: await choices(ctx, ctx.db, order, cost),
    ...{ amount: usd(cost.amount), fee: usd(cost.fee), total: usd(cost.total), rate, totalCny: minorText(toMinorUnits(cost.total, rate)), most, days },
  }
}

/** The member's cards with their problems, the current card first. */
export async function choices(ctx: Ctx, sql: Sql, order: Order, cost: Cost): Promise<CardChoice[]> {
  const { accounts: most, days } = await ctx.settings.get(upgradeLimits)
  const cards = await cardsForTask(ctx, sql, ctx.userId, { service: order.service, total: cost.total })
  return Promise.all(
    cards.map(async ({ id, type, last4, available, problem, missing, recharge }) => {
      const accounts = await accountsOn(sql, id, order.service, order.account, days)
      // a missing amount can be topped up on the spot, so other problems come first
      const first = accounts >= most && (problem === undefined || problem === 'short') ? ('full' as const) : (problem ?? null)
      return { id, type, last4, available: usd(available), problem: first, missing: usd(missing), recharges: rechargesFor(missing, recharge), accounts }
    }),
  )
}

/** Number of recharges for the missing amount. */
function rechargesFor(missing: Nano, recharge: { readonly max: Nano } | undefined): CardChoice['recharges'] {
  if (!recharge || recharge.max <= 0n) return null
  return { most: usd(recharge.max), count: Number(divideUp(missing, recharge.max)) }
}

import { crashPoint } from '#platform/server/crash.ts'
import type { Ctx, Handler, TxCtx } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { usd } from '#platform/shared/money.ts'
import { requirePayPassword } from '#features/account/server/door.ts'
import { disarmTask } from '#features/cards/server/door.ts'
import { beginTask, lockTask, moveTask, taskById } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import type { upgradeContract, UpgradeRow } from '../../contract.ts'
import { planOf } from '../../plans.ts'
import { goesOn, lockOrder, orderById, relinkOrder } from '../data.ts'
import type { Order } from '../data.ts'
import { factsOf, UPGRADE } from '../service.ts'
import { checkDraft, checkLink, costOf } from './check-draft.ts'
import { choices } from './draft.ts'
import { isInHand, orderView } from './view.ts'

type C = typeof upgradeContract
const AT_ONCE = 3

/** Queues a draft in one transaction: authorizes the card for this task, holds the total on it, and takes a place in the queue. */
async function enter(ctx: TxCtx, { id, cardId, total }: InputOf<C['bindQueue']>): Promise<UpgradeRow> {
  const tx = ctx.tx // audited by beginTask
  const order = (await lockOrder(tx, id, ctx.userId)) ?? fail('UPGRADE_UNKNOWN')
  if (order.task_id !== null) return fail('UPGRADE_NOT_NOW')
  const plan = await checkDraft(ctx, tx, order, true)
  const cost = await costOf(ctx, plan, order.seats)
  if (usd(cost.total) !== total) fail('UPGRADE_PRICE', { total: usd(cost.total) })
  const card = (await choices(ctx, tx, order, cost)).find((each) => each.id === cardId) ?? fail('UPGRADE_UNKNOWN')
  if (card.problem !== null) fail('UPGRADE_CARD', { problem: card.problem, missing: card.missing })
  const lent = { cardId, amount: usd(cost.amount), fee: usd(cost.fee) }
  await beginTask(ctx, tx, { service: UPGRADE, userId: ctx.userId, product: plan.id, facts: factsOf(order, card.last4, lent), price: 0n, atOnce: AT_ONCE })
  crashPoint('upgrade.queue-before-commit')
  return orderView(ctx, tx, (await orderById(tx, id))!)
}

const byPassword = { before: (ctx: Ctx, { payPassword }: { readonly payPassword: string }) => requirePayPassword(ctx, ctx.userId, payPassword) }

export const bindQueue: Handler<C['bindQueue']> = Object.assign(enter, byPassword)

/** The task of the member's own order. */
async function standing(sql: Sql, order: Order | undefined): Promise<Task> {
  if (!order || order.task_id === null) return fail('UPGRADE_UNKNOWN')
  return (await taskById(sql, order.task_id)) ?? fail('UPGRADE_UNKNOWN')
}

/** Replaces an expired link. Queue position and hold are kept; the card is authorized again for one more reveal. */
async function relink(ctx: TxCtx, { id, link }: InputOf<C['upgradeRelink']>): Promise<UpgradeRow> {
  const tx = ctx.tx // audited by moveTask
  const order = await orderById(tx, id, ctx.userId)
  const task = await standing(tx, order)
  if (task.state !== 'link_expired') fail('UPGRADE_NOT_NOW')
  await checkLink(ctx, planOf(order!.plan) ?? fail('SERVICE_UNKNOWN'), link)
  if (link === order!.link) fail('UPGRADE_LINK', { problem: 'same' })
  if (await goesOn(tx, { ...order!, link })) fail('UPGRADE_TWICE')
  const also = async () => {
    await relinkOrder(tx, id, link)
    await disarmTask(tx, task.id)
  }
  const moved = await moveTask(ctx, tx, task.id, ['link_expired'], { to: 'placed', facts: { link }, note: 'relinked', also })
  if (!moved) fail('UPGRADE_NOT_NOW')
  crashPoint('upgrade.relink-before-commit')
  return orderView(ctx, tx, (await orderById(tx, id))!)
}

export const upgradeRelink: Handler<C['upgradeRelink']> = Object.assign(relink, byPassword)

/** Leaves the queue unless an operator or a supplier is working on the order. Idempotent. */
export const upgradeLeave: Handler<C['upgradeLeave']> = async (ctx, { id }) => {
  const order = await orderById(ctx.db, id, ctx.userId)
  const task = await standing(ctx.db, order)
  if (task.cause !== 'given_up')
    await transact(ctx.db, ctx.actor, async (tx) => {
      const now = await lockTask(tx, task.id)
      // an operator has taken the order, and its end releases the hold
      if (!now || isInHand(now)) return fail('UPGRADE_NOT_NOW')
      const left = await moveTask(ctx, tx, task.id, ['queued', 'captcha', 'link_expired'], { to: 'failed', cause: 'given_up' }) // audited by moveTask
      return left ?? fail('UPGRADE_NOT_NOW')
    })
  return orderView(ctx, ctx.db, order!)
}

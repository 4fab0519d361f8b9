import { crashPoint } from '#platform/server/crash.ts'
import type { Ctx, Handler, TxCtx } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { requirePayPassword } from '#features/account/server/door.ts'
import { disarmTask } from '#features/cards/server/door.ts'
import { beginTask, lockTask, moveTask, selectTask } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import type { upgradeContract, UpgradeRow } from '../../contract.ts'
import { findUpgradePlan } from '../../plans.ts'
import { hasOtherOpenUpgrade, lockOrder, findUpgradeOrder, relinkOrder } from '../data.ts'
import type { UpgradeOrder } from '../data.ts'
import { buildUpgradeFacts, UPGRADE } from '../service.ts'
import { checkDraft, checkLink, computeUpgradeCost } from './check-draft.ts'
import { listCardChoices } from './draft.ts'
import { isTakenByOperator, buildUpgradeRow } from './view.ts'

type C = typeof upgradeContract
const MAX_OPEN_ORDERS = 3

/** Queues a draft in one transaction: authorizes the card for this task, holds the total on it, and takes a place in the queue. */
async function queueDraft(ctx: TxCtx, { id, cardId, total }: InputOf<C['bindQueue']>): Promise<UpgradeRow> {
  const tx = ctx.tx // audited by beginTask
  const order = (await lockOrder(tx, id, ctx.userId)) ?? fail('UPGRADE_UNKNOWN')
  if (order.taskId !== null) return fail('UPGRADE_NOT_NOW')
  const plan = await checkDraft(ctx, tx, { draft: order, whole: true })
  const cost = await computeUpgradeCost(ctx, plan, order.seats)
  if (formatUsd(cost.total) !== total) fail('UPGRADE_PRICE', { total: formatUsd(cost.total) })
  const card = (await listCardChoices(ctx, tx, { order, cost })).find((each) => each.id === cardId) ?? fail('UPGRADE_UNKNOWN')
  if (card.problem !== null) fail('UPGRADE_CARD', { problem: card.problem, missing: card.missing })
  const lent = { cardId, amount: formatUsd(cost.amount), fee: formatUsd(cost.fee) }
  await beginTask(ctx, tx, {
    service: UPGRADE,
    userId: ctx.userId,
    product: plan.id,
    facts: buildUpgradeFacts(order, card.last4, lent),
    price: 0n,
    atOnce: MAX_OPEN_ORDERS,
  })
  crashPoint('upgrade.queue-before-commit')
  return buildUpgradeRow(ctx, tx, (await findUpgradeOrder(tx, id))!)
}

const byPassword = { before: (ctx: Ctx, { payPassword }: { readonly payPassword: string }) => requirePayPassword(ctx, ctx.userId, payPassword) }

export const bindQueue: Handler<C['bindQueue']> = Object.assign(queueDraft, byPassword)

/** The task of the member's own order. */
async function requireOwnTask(sql: Sql, order: UpgradeOrder | undefined): Promise<Task> {
  if (!order || order.taskId === null) return fail('UPGRADE_UNKNOWN')
  return (await selectTask(sql, order.taskId)) ?? fail('UPGRADE_UNKNOWN')
}

/** Replaces an expired link. Queue position and hold are kept; the card is authorized again for one more reveal. */
async function relink(ctx: TxCtx, { id, link }: InputOf<C['upgradeRelink']>): Promise<UpgradeRow> {
  const tx = ctx.tx // audited by moveTask
  const order = await findUpgradeOrder(tx, id, ctx.userId)
  const task = await requireOwnTask(tx, order)
  if (task.state !== 'link_expired') fail('UPGRADE_NOT_NOW')
  await checkLink(ctx, findUpgradePlan(order!.plan) ?? fail('SERVICE_UNKNOWN'), { link })
  if (link === order!.link) fail('UPGRADE_LINK', { problem: 'same' })
  if (await hasOtherOpenUpgrade(tx, { ...order!, link })) fail('UPGRADE_TWICE')
  const also = async () => {
    await relinkOrder(tx, id, link)
    await disarmTask(tx, task.id)
  }
  const moved = await moveTask(ctx, tx, { id: task.id, from: ['link_expired'], to: { to: 'placed', facts: { link }, note: 'relinked', also } })
  if (!moved) fail('UPGRADE_NOT_NOW')
  crashPoint('upgrade.relink-before-commit')
  return buildUpgradeRow(ctx, tx, (await findUpgradeOrder(tx, id))!)
}

export const upgradeRelink: Handler<C['upgradeRelink']> = Object.assign(relink, byPassword)

/** Leaves the queue unless an operator or a supplier is working on the order. Idempotent. */
export const upgradeLeave: Handler<C['upgradeLeave']> = async (ctx, { id }) => {
  const order = await findUpgradeOrder(ctx.db, id, ctx.userId)
  const task = await requireOwnTask(ctx.db, order)
  if (task.cause !== 'given_up')
    await transact(ctx.db, ctx.actor, async (tx) => {
      const now = await lockTask(tx, task.id)
      // An operator has taken the order, and its end releases the hold
      if (!now || isTakenByOperator(now)) return fail('UPGRADE_NOT_NOW')
      const left = await moveTask(ctx, tx, { id: task.id, from: ['queued', 'captcha', 'link_expired'], to: { to: 'failed', cause: 'given_up' } }) // audited by moveTask
      return left ?? fail('UPGRADE_NOT_NOW')
    })
  return buildUpgradeRow(ctx, ctx.db, order!)
}

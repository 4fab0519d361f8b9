import type { Ctx } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { minus, plus, usd } from '#platform/shared/money.ts'
import { taskHoldOf } from '#features/cards/server/door.ts'
import { stepsOf, taskById } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import { shortLink } from '../../check-input.ts'
import type { UpgradeRow } from '../../contract.ts'
import { planOf } from '../../plans.ts'
import { UPGRADE_CAUSES, UPGRADE_STATES } from '../../words.ts'
import type { Order } from '../data.ts'
import { upgradeLimits } from '../settings.ts'
import { upgradeServerTexts } from '../texts.ts'
import { costOf } from './check-draft.ts'

export const ticketOf = (ticket: bigint): string => `A${String(ticket).padStart(3, '0')}`
const at = (time: Date | null | undefined): string | null => time?.toISOString() ?? null

/** As its owner sees it. `sql`: the transaction that changed it, where there is one. */
export async function orderView(ctx: Ctx, sql: Sql, order: Order): Promise<UpgradeRow> {
  const task = order.task_id === null ? undefined : await taskById(sql, order.task_id)
  const texts: Readonly<Record<string, string>> = upgradeServerTexts[ctx.lang]
  const common = {
    id: order.id,
    service: order.service,
    plan: order.plan,
    planName: texts[`product_${order.plan}`] ?? order.plan,
    seats: order.seats,
    account: order.account,
    shortLink: shortLink(order.link),
  }
  return task ? { ...common, link: '', ...(await queuedParts(ctx, sql, order, task)) } : { ...common, link: order.link, ...(await draftParts(ctx, order)) }
}

type Parts = Omit<UpgradeRow, 'id' | 'service' | 'plan' | 'planName' | 'seats' | 'account' | 'link' | 'shortLink'>

async function draftParts(ctx: Ctx, order: Order): Promise<Parts> {
  const { amount, fee, total } = await costOf(ctx, planOf(order.plan)!, order.seats)
  return {
    ...{ state: 'draft', cause: '', ticket: '', last4: '' },
    ...{ amount: usd(amount), fee: usd(fee), total: usd(total), taken: '0', back: '0' },
    ...{ queuedTime: null, finishedTime: null, deadlineTime: null, retryTime: null, shownTime: null, inHand: false, steps: [] },
  }
}

async function queuedParts(ctx: Ctx, sql: Sql, order: Order, task: Task): Promise<Parts> {
  const kept = await taskHoldOf(sql, task.id)
  const [amount, fee] = [order.amount!, order.fee!]
  const total = plus(amount, fee)
  const isOver = task.finished_at !== null
  const taken = kept?.used ?? 0n
  const riskHours = task.cause === 'risk' ? (await ctx.settings.get(upgradeLimits)).riskHours : undefined
  return {
    state: UPGRADE_STATES.find((name) => name === task.state) ?? 'failed',
    cause: task.phase === 'failed' ? (UPGRADE_CAUSES.find((name) => name === task.cause) ?? 'refused') : '',
    ticket: ticketOf(order.ticket!),
    last4: order.last4,
    ...{ amount: usd(amount), fee: usd(fee), total: usd(total), taken: usd(taken), back: isOver ? usd(minus(total, taken)) : '0' },
    queuedTime: at(order.queued_at),
    finishedTime: at(task.finished_at),
    deadlineTime: at(task.deadline_at),
    retryTime: riskHours !== undefined && task.finished_at ? new Date(task.finished_at.getTime() + riskHours * 3_600_000).toISOString() : null,
    shownTime: at(order.shown_at),
    inHand: isInHand(task),
    steps: (await stepsOf(sql, task.id)).map((step) => ({ at: step.at.toISOString(), state: step.to_state })),
  }
}

/** Somebody has taken it, and it is still theirs. */
export const isInHand = (task: Task): boolean => task.waits_for_person && task.taken_until !== null && task.taken_until > task.now

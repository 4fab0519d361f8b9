import type { Ctx } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { Failure } from '#platform/shared/errors.ts'
import { minus, plus, usd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { takenFor } from '#features/cards/server/door.ts'
import { stepsOfAll, tasksByIds } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import { shortLink } from '../../check-input.ts'
import type { UpgradeRow } from '../../contract.ts'
import { planOf } from '../../plans.ts'
import { UPGRADE_CAUSES, UPGRADE_STATES } from '../../words.ts'
import type { Order } from '../data.ts'
import { upgradeLimits } from '../settings.ts'
import { planName } from '../texts.ts'
import { costOf } from './check-draft.ts'
import type { Cost } from './check-draft.ts'

export const ticketOf = (ticket: bigint): string => `A${String(ticket).padStart(3, '0')}`
const at = (time: Date | null | undefined): string | null => time?.toISOString() ?? null

/** An order as shown to its owner. `sql`: the transaction that changed it, if any. */
export async function orderView(ctx: Ctx, sql: Sql, order: Order): Promise<UpgradeRow> {
  return (await orderViews(ctx, sql, [order]))[0]!
}

/** Any number of orders with a constant number of queries. */
export async function orderViews(ctx: Ctx, sql: Sql, orders: readonly Order[]): Promise<UpgradeRow[]> {
  const ids = orders.flatMap(({ task_id: id }) => id ?? [])
  const tasks = new Map((ids.length ? await tasksByIds(sql, ids) : []).map((task) => [task.id, task]))
  const taken = ids.length ? await takenFor(sql, ids) : new Map<string, Nano>()
  const steps = Map.groupBy(ids.length ? await stepsOfAll(sql, ids) : [], (step) => step.task_id)
  const { riskHours } = await ctx.settings.get(upgradeLimits)
  const views: UpgradeRow[] = []
  for (const order of orders) {
    const task = order.task_id === null ? undefined : tasks.get(order.task_id)
    const facts = task && { task, taken: taken.get(task.id) ?? 0n, steps: steps.get(task.id) ?? [], riskHours }
    views.push({ ...common(ctx, order), link: facts ? '' : order.link, ...(facts ? queuedParts(order, facts) : await draftParts(ctx, order)) })
  }
  return views
}

function common({ lang }: Ctx, order: Order) {
  return {
    id: order.id,
    service: order.service,
    plan: order.plan,
    planName: planName(lang, order.plan),
    seats: order.seats,
    account: order.account,
    shortLink: shortLink(order.link),
  }
}

type Parts = Omit<UpgradeRow, 'id' | 'service' | 'plan' | 'planName' | 'seats' | 'account' | 'link' | 'shortLink'>

async function draftParts(ctx: Ctx, order: Order): Promise<Parts> {
  const { amount, fee, total } = await costIfSold(ctx, order)
  return {
    ...{ state: 'draft', cause: '', ticket: '', last4: '' },
    ...{ amount: usd(amount), fee: usd(fee), total: usd(total), taken: '0', back: '0' },
    ...{ queuedTime: null, finishedTime: null, deadlineTime: null, retryTime: null, shownTime: null, inHand: false, steps: [] },
  }
}

/** Cost of a draft; zero if its plan is no longer sold. Such a draft can be edited or deleted. */
async function costIfSold(ctx: Ctx, { plan, seats }: Order): Promise<Cost> {
  const nothing = { amount: 0n, fee: 0n, total: 0n }
  const known = planOf(plan)
  if (!known) return nothing
  try {
    return await costOf(ctx, known, seats)
  } catch (error) {
    if (error instanceof Failure && error.errorName === 'SERVICE_UNKNOWN') return nothing
    throw error
  }
}

interface Facts {
  readonly task: Task
  readonly taken: Nano
  readonly steps: readonly { readonly at: Date; readonly to_state: string }[]
  readonly riskHours: number
}
function queuedParts(order: Order, { task, taken, steps, riskHours }: Facts): Parts {
  const [amount, fee] = [order.amount!, order.fee!]
  const total = plus(amount, fee)
  const isOver = task.finished_at !== null
  return {
    state: UPGRADE_STATES.find((name) => name === task.state) ?? 'failed',
    cause: task.phase === 'failed' ? (UPGRADE_CAUSES.find((name) => name === task.cause) ?? 'refused') : '',
    ticket: ticketOf(order.ticket!),
    last4: order.last4,
    ...{ amount: usd(amount), fee: usd(fee), total: usd(total), taken: usd(taken), back: isOver ? usd(minus(total, taken)) : '0' },
    queuedTime: at(order.queued_at),
    finishedTime: at(task.finished_at),
    deadlineTime: at(task.deadline_at),
    retryTime: task.cause === 'risk' && task.finished_at ? new Date(task.finished_at.getTime() + riskHours * 3_600_000).toISOString() : null,
    shownTime: at(order.shown_at),
    inHand: isInHand(task),
    steps: steps.map((step) => ({ at: step.at.toISOString(), state: step.to_state })),
  }
}

/** An operator holds an unexpired lease on the task. */
export const isInHand = (task: Task): boolean => task.waits_for_person && task.taken_until !== null && task.taken_until > task.now

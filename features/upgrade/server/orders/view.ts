import type { Ctx } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { Failure } from '#platform/shared/errors.ts'
import { subtractNano, addNano, formatUsd } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { selectTakenByTask } from '#features/cards/server/door.ts'
import { selectStepsOfTasks, selectTasksByIds } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import { shortenLink, findUpgradePlan } from '../../plans.ts'
import type { UpgradeRow } from '../../contract.ts'
import { UPGRADE_CAUSES, UPGRADE_STATES } from '../../words.ts'
import type { UpgradeOrder } from '../data.ts'
import { upgradeLimits } from '../settings.ts'
import { formatUpgradePlanName } from '../texts.ts'
import { computeUpgradeCost } from './check-draft.ts'
import type { UpgradeCost } from './check-draft.ts'

export const formatQueueTicket = (ticket: bigint): string => `A${String(ticket).padStart(3, '0')}`
const toIso = (time: Date | null | undefined): string | null => time?.toISOString() ?? null

/** An order as shown to its owner. `sql`: the transaction that changed it, if any. */
export async function buildUpgradeRow(ctx: Ctx, sql: Sql, order: UpgradeOrder): Promise<UpgradeRow> {
  return (await buildUpgradeRows(ctx, sql, [order]))[0]!
}

/** Any number of orders with a constant number of queries. */
export async function buildUpgradeRows(ctx: Ctx, sql: Sql, orders: readonly UpgradeOrder[]): Promise<UpgradeRow[]> {
  const ids = orders.flatMap(({ taskId: id }) => id ?? [])
  const tasks = new Map((ids.length ? await selectTasksByIds(sql, ids) : []).map((task) => [task.id, task]))
  const taken = ids.length ? await selectTakenByTask(sql, ids) : new Map<string, Nano>()
  const steps = Map.groupBy(ids.length ? await selectStepsOfTasks(sql, ids) : [], (step) => step.taskId)
  const { riskHours } = await ctx.settings.get(upgradeLimits)
  const views: UpgradeRow[] = []
  for (const order of orders) {
    const task = order.taskId === null ? undefined : tasks.get(order.taskId)
    const facts = task && { task, taken: taken.get(task.id) ?? 0n, steps: steps.get(task.id) ?? [], riskHours }
    views.push({
      ...buildCommonFields(ctx, order),
      link: facts ? '' : order.link,
      ...(facts ? buildQueuedFields(order, facts) : await buildDraftFields(ctx, order)),
    })
  }
  return views
}

function buildCommonFields({ lang }: Ctx, order: UpgradeOrder) {
  return {
    id: order.id,
    service: order.service,
    plan: order.plan,
    planName: formatUpgradePlanName(lang, order.plan),
    seats: order.seats,
    account: order.account,
    shortLink: shortenLink(order.link),
  }
}

type StateFields = Omit<UpgradeRow, 'id' | 'service' | 'plan' | 'planName' | 'seats' | 'account' | 'link' | 'shortLink'>

async function buildDraftFields(ctx: Ctx, order: UpgradeOrder): Promise<StateFields> {
  const { amount, fee, total } = await computeDraftCost(ctx, order)
  return {
    ...{ state: 'draft', cause: '', ticket: '', last4: '' },
    ...{ amount: formatUsd(amount), fee: formatUsd(fee), total: formatUsd(total), taken: '0', back: '0' },
    ...{ queuedTime: null, finishedTime: null, deadlineTime: null, retryTime: null, shownTime: null, inHand: false, steps: [] },
  }
}

/** Cost of a draft; zero if its plan is no longer sold. Such a draft can be edited or deleted. */
async function computeDraftCost(ctx: Ctx, { plan, seats }: UpgradeOrder): Promise<UpgradeCost> {
  const nothing = { amount: 0n, fee: 0n, total: 0n }
  const known = findUpgradePlan(plan)
  if (!known) return nothing
  try {
    return await computeUpgradeCost(ctx, known, seats)
  } catch (error) {
    if (error instanceof Failure && error.errorName === 'SERVICE_UNKNOWN') return nothing
    throw error
  }
}

interface QueuedFacts {
  readonly task: Task
  readonly taken: Nano
  readonly steps: readonly { readonly at: Date; readonly toState: string }[]
  readonly riskHours: number
}
function buildQueuedFields(order: UpgradeOrder, { task, taken, steps, riskHours }: QueuedFacts): StateFields {
  const [amount, fee] = [order.amount!, order.fee!]
  const total = addNano(amount, fee)
  const isOver = task.finishedAt !== null
  return {
    state: UPGRADE_STATES.find((name) => name === task.state) ?? 'failed',
    cause: task.phase === 'failed' ? (UPGRADE_CAUSES.find((name) => name === task.cause) ?? 'refused') : '',
    ticket: formatQueueTicket(order.ticket!),
    last4: order.last4,
    ...{
      amount: formatUsd(amount),
      fee: formatUsd(fee),
      total: formatUsd(total),
      taken: formatUsd(taken),
      back: isOver ? formatUsd(subtractNano(total, taken)) : '0',
    },
    queuedTime: toIso(order.queuedAt),
    finishedTime: toIso(task.finishedAt),
    deadlineTime: toIso(task.deadlineAt),
    retryTime: task.cause === 'risk' && task.finishedAt ? new Date(task.finishedAt.getTime() + riskHours * 3_600_000).toISOString() : null,
    shownTime: toIso(order.shownAt),
    inHand: isTakenByOperator(task),
    steps: steps.map((step) => ({ at: step.at.toISOString(), state: step.toState })),
  }
}

/** An operator holds an unexpired lease on the task. */
export const isTakenByOperator = (task: Task): boolean => task.waitsForPerson && task.takenUntil !== null && task.takenUntil > task.now

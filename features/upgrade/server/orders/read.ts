import type { Ctx, Handler } from '#platform/server/feature.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import { formatUsd } from '#platform/shared/money.ts'
import {
  countTasksAhead,
  readDeskHours,
  selectFirstInQueue,
  measureServiceCached,
  countOperatorsAtWork,
  readServicePrice,
  requireServiceOpen,
  serviceHours,
  selectTask,
} from '#features/services/server/door.ts'
import type { upgradeContract } from '../../contract.ts'
import { MAX_SEATS, upgradePlans } from '../../plans.ts'
import { UPGRADE_QUEUE_STATES } from '../../words.ts'
import { countOrders, findCurrentUpgradeOrder, listRecentlyEndedUpgrades, findUpgradeOrder, listUpgradeOrders, listQueueTickets } from '../data.ts'
import { estimateCompletion, formatDeskHours, computeQueuePace } from '../eta.ts'
import { UPGRADE, upgradeService } from '../service.ts'
import { upgradeLimits, upgradeServices } from '../settings.ts'
import { formatUpgradePlanName } from '../texts.ts'
import { buildUpgradeRow, buildUpgradeRows, formatQueueTicket } from './view.ts'

type C = typeof upgradeContract
/** Number of completed orders in the estimate. */
const PACE_SAMPLE_SIZE = 20
const PACE_DAYS = 7
const DAY_MS = 86_400_000
/** Number of tickets returned. */
const TICKET_COUNT = 6

export const openAIPlus: Handler<C['openAIPlus']> = async (ctx) => {
  const { accounts, days, riskHours, linkHours } = await ctx.settings.get(upgradeLimits)
  const merchants = await ctx.settings.get(upgradeServices)
  const sold = upgradePlans.filter(({ service }) => merchants[service])
  const rows = sold.map(async ({ id, service, months, team }) => ({
    ...{ id, service, months, team: team ?? null },
    name: formatUpgradePlanName(ctx.lang, id),
    price: formatUsd(await readServicePrice(ctx, UPGRADE, id)),
  }))
  return {
    plans: await Promise.all(rows),
    paused: await readPauseReason(ctx),
    limits: { accounts, days, riskHours, linkHours, mostSeats: MAX_SEATS, ...formatDeskHours(await ctx.settings.get(serviceHours)) },
    hosts: Object.fromEntries(Object.entries(merchants).map(([service, { hosts }]) => [service, hosts])),
  }
}

async function readPauseReason(ctx: Ctx): Promise<string | null> {
  try {
    await requireServiceOpen(ctx, upgradeService, { task: { userId: ctx.userId, product: '', facts: {} } })
    return null
  } catch (error) {
    if (error instanceof Failure && error.errorName === 'SERVICE_PAUSED') return String(error.data?.['reason'] ?? '')
    throw error
  }
}

export const openaiQueue: Handler<C['openaiQueue']> = async (ctx, { id }) => {
  const order = id === undefined ? undefined : await findUpgradeOrder(ctx.db, id, ctx.userId)
  const task = order?.taskId ? await selectTask(ctx.db, order.taskId) : undefined
  const isQueued = task?.startedAt && (UPGRADE_QUEUE_STATES as readonly string[]).includes(task.state)
  // A new order would be last in the queue
  const before = isQueued ? { startedAt: task.startedAt!, id: task.id } : { startedAt: new Date(ctx.clock.now().getTime() + DAY_MS), id: '' }
  const ahead = await countTasksAhead(ctx.db, UPGRADE, { states: UPGRADE_QUEUE_STATES, startedAt: before.startedAt, id: before.id })
  const tickets = await listQueueTickets(
    ctx.db,
    await selectFirstInQueue(ctx.db, { service: UPGRADE, states: UPGRADE_QUEUE_STATES, limit: TICKET_COUNT, before }),
  )
  const [open, hours, times] = [await readDeskHours(ctx), await ctx.settings.get(serviceHours), await measureServiceCached(ctx, UPGRADE)]
  const ended = await listRecentlyEndedUpgrades(ctx.db, PACE_DAYS, PACE_SAMPLE_SIZE + 1)
  const pace = computeQueuePace(ended, hours)
  const when = pace === undefined ? undefined : estimateCompletion(ctx.clock.now(), ahead, { pace, hours })
  return {
    ahead,
    tickets: tickets.map(formatQueueTicket),
    minutes: when?.minutes ?? null,
    readyTime: when?.ready.toISOString() ?? null,
    working: await countOperatorsAtWork(ctx.db, UPGRADE),
    isOpen: open.isOpen,
    opensTime: open.opensAt.toISOString(),
    hours,
    counted: Math.min(ended.length, PACE_SAMPLE_SIZE),
    half: times.half,
    most: times.most,
  }
}

export const upgradeStatus: Handler<C['upgradeStatus']> = async (ctx, { id }) => {
  const order =
    id === undefined ? await findCurrentUpgradeOrder(ctx.db, ctx.userId) : ((await findUpgradeOrder(ctx.db, id, ctx.userId)) ?? fail('UPGRADE_UNKNOWN'))
  return { order: order ? await buildUpgradeRow(ctx, ctx.db, order) : null }
}

export const upgradeList: Handler<C['upgradeList']> = async (ctx, { pageNum, pageSize }) => {
  const totalRecord = await countOrders(ctx.db, ctx.userId)
  const rows = await listUpgradeOrders(ctx.db, ctx.userId, { limit: pageSize, offset: (pageNum - 1) * pageSize })
  return { rowList: await buildUpgradeRows(ctx, ctx.db, rows), pageNum, pageSize, totalPage: Math.ceil(totalRecord / pageSize), totalRecord }
}

import type { Ctx, Handler } from '#platform/server/feature.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import { usd } from '#platform/shared/money.ts'
import {
  aheadOf,
  deskHours,
  firstInQueue,
  measuredLately,
  peopleAtWork,
  priceOf,
  refuseClosed,
  serviceHours,
  taskById,
} from '#features/services/server/door.ts'
import type { upgradeContract } from '../../contract.ts'
import { MOST_SEATS, plans } from '../../plans.ts'
import { IN_QUEUE } from '../../words.ts'
import { countOrders, currentOrder, endedLately, orderById, ordersOf, ticketsOf } from '../data.ts'
import { expected, hoursText, paceOf } from '../eta.ts'
import { UPGRADE, upgradeService } from '../service.ts'
import { upgradeLimits, upgradeServices } from '../settings.ts'
import { planName } from '../texts.ts'
import { orderView, orderViews, ticketOf } from './view.ts'

type C = typeof upgradeContract
/** Number of completed orders in the estimate. */
const LAST = 20
const DAYS = 7
const DAY_MS = 86_400_000
/** Number of tickets returned. */
const STUBS = 6

export const openAIPlus: Handler<C['openAIPlus']> = async (ctx) => {
  const { accounts, days, riskHours, linkHours } = await ctx.settings.get(upgradeLimits)
  const merchants = await ctx.settings.get(upgradeServices)
  const sold = plans.filter(({ service }) => merchants[service])
  const rows = sold.map(async ({ id, service, months, team }) => ({
    ...{ id, service, months, team: team ?? null },
    name: planName(ctx.lang, id),
    price: usd(await priceOf(ctx, UPGRADE, id)),
  }))
  return {
    plans: await Promise.all(rows),
    paused: await pausedWhy(ctx),
    limits: { accounts, days, riskHours, linkHours, mostSeats: MOST_SEATS, ...hoursText(await ctx.settings.get(serviceHours)) },
    hosts: Object.fromEntries(Object.entries(merchants).map(([service, { hosts }]) => [service, hosts])),
  }
}

async function pausedWhy(ctx: Ctx): Promise<string | null> {
  try {
    await refuseClosed(ctx, upgradeService, { user_id: ctx.userId, product: '', facts: {} })
    return null
  } catch (error) {
    if (error instanceof Failure && error.errorName === 'SERVICE_PAUSED') return String(error.data?.['reason'] ?? '')
    throw error
  }
}

export const openaiQueue: Handler<C['openaiQueue']> = async (ctx, { id }) => {
  const order = id === undefined ? undefined : await orderById(ctx.db, id, ctx.userId)
  const task = order?.task_id ? await taskById(ctx.db, order.task_id) : undefined
  const isQueued = task?.started_at && (IN_QUEUE as readonly string[]).includes(task.state)
  // a new order would be last in the queue
  const before = isQueued ? { startedAt: task.started_at!, id: task.id } : { startedAt: new Date(ctx.clock.now().getTime() + DAY_MS), id: '' }
  const ahead = await aheadOf(ctx.db, UPGRADE, IN_QUEUE, before.startedAt, before.id)
  const tickets = await ticketsOf(ctx.db, await firstInQueue(ctx.db, { service: UPGRADE, states: IN_QUEUE, limit: STUBS, before }))
  const [open, hours, times] = [await deskHours(ctx), await ctx.settings.get(serviceHours), await measuredLately(ctx, UPGRADE)]
  const ended = await endedLately(ctx.db, DAYS, LAST + 1)
  const pace = paceOf(ended, hours)
  const when = pace === undefined ? undefined : expected(ctx.clock.now(), ahead, pace, hours)
  return {
    ahead,
    tickets: tickets.map(ticketOf),
    minutes: when?.minutes ?? null,
    readyTime: when?.ready.toISOString() ?? null,
    working: await peopleAtWork(ctx.db, UPGRADE),
    isOpen: open.isOpen,
    opensTime: open.opensAt.toISOString(),
    hours,
    counted: Math.min(ended.length, LAST),
    half: times.half,
    most: times.most,
  }
}

export const upgradeStatus: Handler<C['upgradeStatus']> = async (ctx, { id }) => {
  const order = id === undefined ? await currentOrder(ctx.db, ctx.userId) : ((await orderById(ctx.db, id, ctx.userId)) ?? fail('UPGRADE_UNKNOWN'))
  return { order: order ? await orderView(ctx, ctx.db, order) : null }
}

export const upgradeList: Handler<C['upgradeList']> = async (ctx, { pageNum, pageSize }) => {
  const totalRecord = await countOrders(ctx.db, ctx.userId)
  const rows = await ordersOf(ctx.db, ctx.userId, pageSize, (pageNum - 1) * pageSize)
  return { rowList: await orderViews(ctx, ctx.db, rows), pageNum, pageSize, totalPage: Math.ceil(totalRecord / pageSize), totalRecord }
}

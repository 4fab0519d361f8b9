import { getNotifyChannel } from '#platform/server/database/notify-channel.ts'

import { bindToTransaction } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { hasActiveCard } from '#features/cards/server/door.ts'
import { beginTask, countTasks, moveTask, readServicePrice, readQuotaStatus, selectTask, selectTasks } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import type { NumberRow, numbersContract } from '../contract.ts'
import { NUMBER_SERVICES } from '../words.ts'
import { lockUser, notifyNumberWaiters } from './data.ts'
import { cancelsAnHour, offeredNumbers, packCount } from './settings.ts'
import { NUMBERS_SERVICE, PACKS_SERVICE } from './spec.ts'
import { computePackBalance } from './uses/packs.ts'
import { buildNumberRows } from './view.ts'

type C = typeof numbersContract
const HOUR_MS = 3_600_000

async function requireOwnTask(ctx: Ctx, id: string): Promise<Task> {
  const task = await selectTask(bindToTransaction(ctx).db, id, ctx.userId)
  return task?.service === NUMBERS_SERVICE ? task : fail('NUMBER_UNKNOWN')
}
const buildNumberRow = async (ctx: Ctx, task: Task): Promise<NumberRow> => (await buildNumberRows(bindToTransaction(ctx), [task]))[0]!
const requireTx = (ctx: Ctx): Tx => ctx.tx ?? fail('INTERNAL')

export async function overseaMobileApply(ctx: Ctx, { type, country }: InputOf<C['overseaMobileApply']>): Promise<NumberRow> {
  const tx = requireTx(ctx)
  const service = NUMBER_SERVICES[type - 1]!
  const countries = (await ctx.settings.get(offeredNumbers))[service] ?? fail('NUMBER_NOT_OFFERED')
  const wanted = country ?? countries[0]!
  if (!countries.includes(wanted)) fail('NUMBER_NOT_OFFERED')
  if (!(await hasActiveCard(tx, ctx.userId))) fail('NUMBER_NEEDS_CARD')
  await lockUser(tx, ctx.userId)
  const lately = await selectTasks(tx, { userId: ctx.userId, service: NUMBERS_SERVICE, limit: 100 })
  const waiting = lately.find(({ phase }) => phase === 'waiting')
  if (waiting) fail('NUMBER_ONE_AT_A_TIME', { id: waiting.id })
  const given = lately.filter(({ cause, finishedAt, now }) => cause === 'given_back' && finishedAt && now.getTime() - finishedAt.getTime() < HOUR_MS)
  if (given.length >= (await ctx.settings.get(cancelsAnHour))) fail('NUMBER_TOO_MANY_CANCELLED')
  if ((await readQuotaStatus(ctx, tx, { userId: ctx.userId, service: NUMBERS_SERVICE })).left <= 0) {
    fail('NUMBER_NO_USES', { price: formatUsd(await readServicePrice(ctx, PACKS_SERVICE, 'pack')), count: await ctx.settings.get(packCount) })
  }
  const { task } = await beginTask(ctx, tx, { service: NUMBERS_SERVICE, userId: ctx.userId, product: 'number', facts: { service, country: wanted } })
  return buildNumberRow(ctx, task)
}

export async function overseaMobilePack(ctx: Ctx): Promise<ReplyOf<C['overseaMobilePack']>> {
  const tx = requireTx(ctx)
  if (!(await hasActiveCard(tx, ctx.userId))) fail('NUMBER_NEEDS_CARD')
  const facts = { count: await ctx.settings.get(packCount) }
  return (await beginTask(ctx, tx, { service: PACKS_SERVICE, userId: ctx.userId, product: 'pack', facts })).pay ?? fail('INTERNAL')
}

export async function overseaMobileReturnPack(ctx: Ctx, { id }: InputOf<C['overseaMobileReturnPack']>): Promise<ReplyOf<C['overseaMobileReturnPack']>> {
  const tx = requireTx(ctx)
  await lockUser(tx, ctx.userId)
  const pack = await selectTask(tx, id, ctx.userId)
  if (pack?.service !== PACKS_SERVICE) return fail('NUMBER_UNKNOWN')
  const { left, busy, worth } = await computePackBalance(tx, pack)
  if (pack.state !== 'ready' || busy || left === 0) fail('NUMBER_ENDED')
  const moved = await moveTask(ctx, tx, { id, from: ['ready'], to: { to: 'returned', cause: 'unused', back: worth } })
  return moved ? { returned: formatUsd(worth) } : fail('NUMBER_ENDED')
}

export async function overseaMobileCancel(ctx: Ctx, { id }: InputOf<C['overseaMobileCancel']>): Promise<NumberRow> {
  const tx = requireTx(ctx)
  await requireOwnTask(ctx, id)
  const moved = await moveTask(ctx, tx, { id, from: ['finding', 'waiting'], to: { to: 'cancelled', cause: 'given_back' } })
  await notifyNumberWaiters(tx, id)
  return moved ? buildNumberRow(ctx, moved) : fail('NUMBER_ENDED')
}

export async function overseaMobileAvailable(ctx: Ctx): Promise<ReplyOf<C['overseaMobileAvailable']>> {
  const live = await selectTasks(ctx.db, { userId: ctx.userId, service: NUMBERS_SERVICE, phases: ['waiting', 'using'], limit: 20 })
  const current = live.find(({ phase }) => phase === 'waiting') ?? live[0]
  return { current: current ? await buildNumberRow(ctx, current) : null }
}

export async function overseaMobilePageList(
  ctx: Ctx,
  { pageNum, pageSize }: InputOf<C['overseaMobilePageList']>,
): Promise<ReplyOf<C['overseaMobilePageList']>> {
  const filter = { userId: ctx.userId, service: NUMBERS_SERVICE }
  const [tasks, total] = await Promise.all([selectTasks(ctx.db, { ...filter, limit: pageSize, offset: (pageNum - 1) * pageSize }), countTasks(ctx.db, filter)])
  return { rowList: await buildNumberRows(ctx, tasks), pageNum, pageSize, totalPage: Math.ceil(total / pageSize), totalRecord: total }
}

/** Long poll: responds as soon as the state differs from the page's. Holds no database connection while waiting. */
export async function overseaMobileInfo(ctx: Ctx, { id, version, waitSeconds }: InputOf<C['overseaMobileInfo']>): Promise<NumberRow> {
  const until = Date.now() + waitSeconds * 1000
  for (;;) {
    const left = version === undefined ? 0 : until - Date.now()
    const waiting = left > 0 ? getNotifyChannel(ctx, 'numbers').wait(id, ctx.userId) : undefined
    try {
      const row = await buildNumberRow(ctx, await requireOwnTask(ctx, id))
      if (row.version !== version || !waiting) return row
      await waiting.rung(left)
    } finally {
      waiting?.cancel()
    }
  }
}

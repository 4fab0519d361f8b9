import { bellOf } from '#platform/server/database/bell.ts'

import { onTx } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Ctx } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { usd } from '#platform/shared/money.ts'
import { hasCard } from '#features/cards/server/door.ts'
import { beginTask, countTasks, moveTask, priceOf, quotaNow, taskById, tasksOf } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import type { NumberRow, numbersContract } from '../contract.ts'
import { NUMBER_SERVICES } from '../words.ts'
import { lockUser, ring } from './data.ts'
import { cancelsAnHour, offered, packCount } from './settings.ts'
import { NUMBERS, PACKS } from './spec.ts'
import { packLeft } from './uses/packs.ts'
import { numberViews } from './view.ts'

type C = typeof numbersContract
const HOUR_MS = 3_600_000

async function own(ctx: Ctx, id: string): Promise<Task> {
  const task = await taskById(onTx(ctx).db, id, ctx.userId)
  return task?.service === NUMBERS ? task : fail('NUMBER_UNKNOWN')
}
const view = async (ctx: Ctx, task: Task): Promise<NumberRow> => (await numberViews(onTx(ctx), [task]))[0]!
const txOf = (ctx: Ctx): Tx => ctx.tx ?? fail('INTERNAL')

export async function overseaMobileApply(ctx: Ctx, { type, country }: InputOf<C['overseaMobileApply']>): Promise<NumberRow> {
  const tx = txOf(ctx)
  const service = NUMBER_SERVICES[type - 1]!
  const countries = (await ctx.settings.get(offered))[service] ?? fail('NUMBER_NOT_OFFERED')
  const wanted = country ?? countries[0]!
  if (!countries.includes(wanted)) fail('NUMBER_NOT_OFFERED')
  if (!(await hasCard(tx, ctx.userId))) fail('NUMBER_NEEDS_CARD')
  await lockUser(tx, ctx.userId)
  const lately = await tasksOf(tx, { userId: ctx.userId, service: NUMBERS, limit: 100 })
  const waiting = lately.find(({ phase }) => phase === 'waiting')
  if (waiting) fail('NUMBER_ONE_AT_A_TIME', { id: waiting.id })
  const given = lately.filter(({ cause, finished_at, now }) => cause === 'given_back' && finished_at && now.getTime() - finished_at.getTime() < HOUR_MS)
  if (given.length >= (await ctx.settings.get(cancelsAnHour))) fail('NUMBER_TOO_MANY_CANCELLED')
  if ((await quotaNow(ctx, tx, ctx.userId, NUMBERS)).left <= 0) {
    fail('NUMBER_NO_USES', { price: usd(await priceOf(ctx, PACKS, 'pack')), count: await ctx.settings.get(packCount) })
  }
  const { task } = await beginTask(ctx, tx, { service: NUMBERS, userId: ctx.userId, product: 'number', facts: { service, country: wanted } })
  return view(ctx, task)
}

export async function overseaMobilePack(ctx: Ctx): Promise<ReplyOf<C['overseaMobilePack']>> {
  const tx = txOf(ctx)
  if (!(await hasCard(tx, ctx.userId))) fail('NUMBER_NEEDS_CARD')
  const facts = { count: await ctx.settings.get(packCount) }
  return (await beginTask(ctx, tx, { service: PACKS, userId: ctx.userId, product: 'pack', facts })).pay ?? fail('INTERNAL')
}

export async function overseaMobileReturnPack(ctx: Ctx, { id }: InputOf<C['overseaMobileReturnPack']>): Promise<ReplyOf<C['overseaMobileReturnPack']>> {
  const tx = txOf(ctx)
  await lockUser(tx, ctx.userId)
  const pack = await taskById(tx, id, ctx.userId)
  if (pack?.service !== PACKS) return fail('NUMBER_UNKNOWN')
  const { left, busy, worth } = await packLeft(tx, pack)
  if (pack.state !== 'ready' || busy || left === 0) fail('NUMBER_ENDED')
  const moved = await moveTask(ctx, tx, id, ['ready'], { to: 'returned', cause: 'unused', back: worth })
  return moved ? { returned: usd(worth) } : fail('NUMBER_ENDED')
}

export async function overseaMobileCancel(ctx: Ctx, { id }: InputOf<C['overseaMobileCancel']>): Promise<NumberRow> {
  const tx = txOf(ctx)
  await own(ctx, id)
  const moved = await moveTask(ctx, tx, id, ['finding', 'waiting'], { to: 'cancelled', cause: 'given_back' })
  await ring(tx, id)
  return moved ? view(ctx, moved) : fail('NUMBER_ENDED')
}

export async function overseaMobileAvailable(ctx: Ctx): Promise<ReplyOf<C['overseaMobileAvailable']>> {
  const live = await tasksOf(ctx.db, { userId: ctx.userId, service: NUMBERS, phases: ['waiting', 'using'], limit: 20 })
  const current = live.find(({ phase }) => phase === 'waiting') ?? live[0]
  return { current: current ? await view(ctx, current) : null }
}

export async function overseaMobilePageList(
  ctx: Ctx,
  { pageNum, pageSize }: InputOf<C['overseaMobilePageList']>,
): Promise<ReplyOf<C['overseaMobilePageList']>> {
  const filter = { userId: ctx.userId, service: NUMBERS }
  const [tasks, total] = await Promise.all([tasksOf(ctx.db, { ...filter, limit: pageSize, offset: (pageNum - 1) * pageSize }), countTasks(ctx.db, filter)])
  return { rowList: await numberViews(ctx, tasks), pageNum, pageSize, totalPage: Math.ceil(total / pageSize), totalRecord: total }
}

/** Answers as soon as it is no longer what the page knows. No connection of the database is held while waiting. */
export async function overseaMobileInfo(ctx: Ctx, { id, version, waitSeconds }: InputOf<C['overseaMobileInfo']>): Promise<NumberRow> {
  const until = Date.now() + waitSeconds * 1000
  for (;;) {
    const left = version === undefined ? 0 : until - Date.now()
    const waiting = left > 0 ? bellOf(ctx, 'numbers').wait(id, ctx.userId) : undefined
    try {
      const row = await view(ctx, await own(ctx, id))
      if (row.version !== version || !waiting) return row
      await waiting.rung(left)
    } finally {
      waiting?.cancel()
    }
  }
}

import type { Ctx, Handler } from '#platform/server/feature.ts'
import { onTx, transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { usd } from '#platform/shared/money.ts'
import { beginTask, moveTask, priceOf, quotaNow, taskView, workTask } from '#features/services/server/door.ts'
import type { proxyContract } from '../../contract.ts'
import { countUses, endUse, isServed, liveUseOf, usesOf } from '../data.ts'
import type { Use } from '../data.ts'
import { exitName, openExits } from '../exits.ts'
import { proxyMegabits, proxyMegabytes, proxyMinutes, proxyTunnels } from '../settings.ts'
import { profileOf } from './switchy-omega.ts'
import { accountView, useView } from './view.ts'

type Verb<K extends keyof typeof proxyContract> = Handler<(typeof proxyContract)[K]>

export const stat: Verb<'proxyStat'> = async (ctx) => {
  const { settings } = ctx
  const [price, quota, exits, served] = await Promise.all([
    priceOf(ctx, 'proxy', 'use'),
    quotaNow(ctx, ctx.db, ctx.userId, 'proxy'),
    openExits(ctx),
    isServed(ctx.db),
  ])
  return {
    price: usd(price),
    minutes: await settings.get(proxyMinutes),
    allowed: quota.allowed,
    used: quota.used,
    remainingCount: quota.left,
    isServed: served,
    exits: exits.map((exit) => ({ id: exit.id, name: exitName(exit, ctx.lang) })),
    limits: { tunnels: await settings.get(proxyTunnels), megabits: await settings.get(proxyMegabits), megabytes: await settings.get(proxyMegabytes) },
  }
}

/** At most so many that wait at once: a second press is no second order. */
const AT_ONCE = 2

export const apply: Verb<'proxyApply'> = async (ctx, { exit }) => {
  const exits = await openExits(ctx)
  const chosen = exit === undefined ? exits[0] : exits.find(({ id }) => id === exit)
  if (!chosen) return fail('PROXY_EXIT_UNKNOWN')
  if (!(await isServed(onTx(ctx).db))) return fail('PROXY_DOWN')
  // audited by beginTask
  const { task, pay } = await beginTask(ctx, ctx.tx, {
    service: 'proxy',
    userId: ctx.userId,
    product: 'use',
    facts: { exit: chosen.id },
    atOnce: AT_ONCE,
  })
  if (pay === null) ctx.tx.afterCommit(() => void workTask(ctx, task.id).catch((error: unknown) => ctx.log.warn({ err: error }, 'a proxy use is delayed')))
  return { task: taskView(task, ctx.lang), pay }
}

export const available: Verb<'proxyAvailable'> = async (ctx) => {
  const use = await liveUseOf(ctx.db, ctx.userId, 'proxy')
  return { account: use ? await accountView(ctx, use, ctx.lang) : null }
}

const live = async (ctx: Ctx): Promise<Use> => (await liveUseOf(ctx.db, ctx.userId, 'proxy')) ?? fail('PROXY_NOT_LIVE')

export const end: Verb<'proxyEnd'> = async (ctx) => {
  const use = await live(ctx)
  await transact(ctx.db, ctx.actor, async (tx) => {
    await moveTask(ctx, tx, use.ref, ['using'], { to: 'ended', cause: 'stopped' })
    await endUse(tx, 'proxy', use.ref)
    await tx.audit('proxy.ended', `use:${use.id}`, { userId: ctx.userId })
  })
  return {}
}

export const uses: Verb<'proxyUses'> = async (ctx, { pageNum, pageSize }) => {
  const [rows, totalRecord, exits] = await Promise.all([
    usesOf(ctx.db, ctx.userId, pageSize, (pageNum - 1) * pageSize),
    countUses(ctx.db, ctx.userId),
    openExits(ctx),
  ])
  return { rowList: rows.map((use) => useView(ctx, exits, use)), pageNum, pageSize, totalPage: Math.ceil(totalRecord / pageSize), totalRecord }
}

export const switchyOmega: Verb<'switchyOmega'> = async (ctx) => {
  const account = await accountView(ctx, await live(ctx), ctx.lang)
  return {
    type: 'application/json; charset=utf-8',
    filename: 'OmegaOptions.bak',
    body: new Uint8Array(Buffer.from(profileOf(account))),
  }
}

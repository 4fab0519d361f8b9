import { setTimeout as pause } from 'node:timers/promises'
import type { Ctx, Handler, Deps } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import { hasActiveCard } from '#features/cards/server/door.ts'
import {
  beginTask,
  isOfferedNow,
  moveTask,
  buildTaskView,
  workTask,
  countTasksAhead,
  countWaitingTasks,
  selectUpcomingEnds,
  readServicePrice,
  readQuotaStatus,
  requireSwitchedOn,
  selectTasks,
} from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import type { remoteContract, RemoteCount, RemoteSession } from '../contract.ts'
import { REMOTE_SOCKET_PATH } from '../wire.ts'
import { findRemoteNode } from './data.ts'
import { wouldExceedLimit, readSessionLengths, MINUTE_MS, requireBelowUnusedLimit, findUnusedLimit } from './unused.ts'
import { remoteMinutes, remoteExit, remoteFileMegabytes, remoteFiles, remoteIncluded } from './settings.ts'
import { OWN_ENGINE, REMOTE_SERVICE, remoteService, buildStartKey } from './spec.ts'
import { createSessionTicket } from './ticket.ts'
import { findRemoteSupplier } from './vendors/index.ts'
import type { RemoteSupplier } from './vendors/port.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { translateExitName, listOpenExits } from '#features/proxy/server/door.ts'

type State = RemoteSession['state']

/** The user's live session. */
async function findLiveRemoteSession(sql: Sql, userId: string): Promise<(Task & { readonly state: State }) | undefined> {
  const live = await selectTasks(sql, { userId, service: REMOTE_SERVICE, phases: ['waiting', 'using'], limit: 20 })
  return live.find(({ product }) => product === 'session') as (Task & { readonly state: State }) | undefined
}

/** Minutes until a place is free for a task with `ahead` tasks before it, from the end times of live sessions; null if unknown. */
async function estimateMinutesUntilFree(deps: Deps, task: Task, ahead: number): Promise<number | null> {
  const ends = await selectUpcomingEnds(deps.db, REMOTE_SERVICE, ahead + 1)
  const end = ends[ahead]
  return end ? Math.max(1, Math.ceil((end.getTime() - task.now.getTime()) / MINUTE_MS)) : null
}

async function buildSessionView(deps: Deps, task: Task & { readonly state: State }): Promise<RemoteSession> {
  const ahead =
    task.state === 'queued' && task.startedAt
      ? await countTasksAhead(deps.db, REMOTE_SERVICE, { states: ['queued'], startedAt: task.startedAt, id: task.id })
      : null
  return {
    id: task.id,
    state: task.state,
    engine: task.supplier === '' || task.supplier === OWN_ENGINE ? 'canvas' : 'window',
    ahead,
    aheadMinutes: ahead === null ? null : await estimateMinutesUntilFree(deps, task, ahead),
    isFree: task.free === 'taken',
    amount: formatUsd(task.amount),
    deadlineTime: task.deadlineAt?.toISOString() ?? null,
    startedTime: task.deliveredAt?.toISOString() ?? null,
    expiresTime: task.expiresAt?.toISOString() ?? null,
    canExtend: task.state === 'using' && !wouldExceedLimit(task, await readSessionLengths(deps)),
  }
}

async function buildCountView(ctx: Ctx): Promise<RemoteCount> {
  const { db, userId, settings } = ctx
  const [price, quota, minutes, exits, wish, waiting, included, most, megabytes] = await Promise.all([
    readServicePrice(ctx, REMOTE_SERVICE, 'session'),
    readQuotaStatus(ctx, db, { userId, service: REMOTE_SERVICE }),
    settings.get(remoteMinutes),
    listOpenExits(ctx),
    settings.get(remoteExit),
    countWaitingTasks(db, REMOTE_SERVICE, { state: 'queued', product: 'session' }),
    settings.get(remoteIncluded),
    settings.get(remoteFiles),
    settings.get(remoteFileMegabytes),
  ])
  const often = await findUnusedLimit(ctx, db, userId)
  const exit = exits.find(({ id }) => id === wish) ?? exits[0]
  return {
    hasCard: await hasActiveCard(db, userId),
    price: formatUsd(price),
    minutes,
    allowed: quota.allowed,
    included,
    used: quota.used,
    remainingCount: quota.left,
    remainingMinutes: quota.left * minutes,
    isOffered: await isOfferedNow(ctx, remoteService),
    paused: await readPauseReason(ctx),
    place: exit ? translateExitName(exit, ctx.lang) : '',
    waiting,
    tooOften: often ? { most: often.most, againTime: often.again.toISOString() } : null,
    files: findRemoteSupplier(ctx) || most === 0 ? null : { most, megabytes },
  }
}

async function readPauseReason(ctx: Ctx): Promise<string | null> {
  try {
    await requireSwitchedOn(ctx, remoteService, { userId: ctx.userId, product: 'session', facts: {} })
    return null
  } catch (error) {
    if (error instanceof Failure && error.errorName === 'SERVICE_PAUSED') return String(error.data?.['reason'] ?? '')
    throw error
  }
}

type RemoteHandler<K extends keyof typeof remoteContract> = Handler<(typeof remoteContract)[K]>

export const getKasm: RemoteHandler<'getKasm'> = async (ctx) => {
  const task = await findLiveRemoteSession(ctx.db, ctx.userId)
  return { session: task ? await buildSessionView(ctx, task) : null }
}

export const kasmCount: RemoteHandler<'kasmCount'> = (ctx) => buildCountView(ctx)

const POLL_INTERVAL_MS = 1000

export const getKasmUrl: RemoteHandler<'getKasmUrl'> = async (ctx, { waitSeconds }) => {
  const until = Date.now() + waitSeconds * 1000
  for (;;) {
    const { state = 'none' as const } = (await findLiveRemoteSession(ctx.db, ctx.userId)) ?? {}
    if (state === 'ready' || state === 'using') return { url: `${ctx.siteUrl()}/remote`, state }
    if (state === 'none' || Date.now() + POLL_INTERVAL_MS > until) return { url: null, state }
    await pause(POLL_INTERVAL_MS)
  }
}

export const kasmApply: RemoteHandler<'kasmApply'> = async (ctx, { more }) => {
  const tx = ctx.tx
  if (!(await hasActiveCard(tx, ctx.userId))) fail('REMOTE_NEEDS_CARD')
  const live = await findLiveRemoteSession(tx, ctx.userId)
  if (more) {
    if (live?.state !== 'using') return fail('REMOTE_NONE')
    const lengths = await readSessionLengths(ctx)
    if (wouldExceedLimit(live, lengths)) fail('REMOTE_TOO_LONG', { minutes: lengths.most })
  } else {
    if (live) fail('REMOTE_GOES_ON')
    await requireBelowUnusedLimit(ctx, tx, ctx.userId)
    if (!(await isOfferedNow(ctx, remoteService, tx))) fail('REMOTE_NOT_OFFERED')
  }
  const facts = more ? { session: live!.id } : {}
  // audited by beginTask
  const { task, pay } = await beginTask(ctx, tx, { service: REMOTE_SERVICE, userId: ctx.userId, product: more ? 'more' : 'session', facts })
  if (pay === null) tx.afterCommit(() => void workTask(ctx, task.id).catch((error: unknown) => ctx.log.warn({ err: error }, 'a remote browser is delayed')))
  return { task: buildTaskView(task, ctx.lang), pay }
}

export const kasmOpen: RemoteHandler<'kasmOpen'> = async (ctx) => {
  const task = (await findLiveRemoteSession(ctx.db, ctx.userId)) ?? fail('REMOTE_NONE')
  if (task.state !== 'ready' && task.state !== 'using') return fail('REMOTE_NOT_READY', { state: task.state })
  return task.supplier === OWN_ENGINE ? openOnCanvas(ctx, task) : openInWindow(ctx, task)
}

async function openOnCanvas(ctx: Ctx, task: Task) {
  const at = (await findRemoteNode(ctx.db, task.supplierRef ?? '')) ?? fail('REMOTE_NOT_READY', { state: task.state })
  const url = at.url === '' ? '' : new URL(REMOTE_SOCKET_PATH, at.url).href.replace(/^http/, 'ws')
  return { engine: 'canvas' as const, url, ticket: createSessionTicket(ctx.secretKey, { taskId: task.id, userId: ctx.userId }, Date.now()) }
}

/** Returns the address of the supplier's window and charges the session: with the address, its user sees the picture. */
async function openInWindow(ctx: Ctx, task: Task) {
  const supplier = findRemoteSupplier(ctx)
  if (!supplier || supplier.name !== task.supplier) return fail('REMOTE_NOT_READY', { state: task.state })
  const url = await openSupplierSession(ctx, supplier, task)
  if (task.state === 'ready') {
    const expiresAt = new Date(task.now.getTime() + (await ctx.settings.get(remoteMinutes)) * 60_000)
    const moved = await transact(ctx.db, ctx.actor, (tx) => moveTask(ctx, tx, { id: task.id, from: ['ready'], to: { to: 'using', expiresAt } })) // audited by moveTask
    if (!moved && (await findLiveRemoteSession(ctx.db, ctx.userId))?.state !== 'using') fail('REMOTE_NONE')
  }
  return { engine: 'window' as const, url, ticket: '' }
}

/** Opens a session only if it is ready, and charges it then; if the supplier does not respond, nothing is charged. */
async function openSupplierSession(ctx: Ctx, supplier: RemoteSupplier, task: Task): Promise<string> {
  const ref = task.supplierRef ?? ''
  try {
    if ((await supplier.look(ref)) === 'running') return await supplier.enter(buildStartKey(task.id), ref)
  } catch (error) {
    ctx.log.warn({ taskId: task.id, why: (error as Error).message }, 'a remote browser could not be entered')
    return fail('REMOTE_UNREACHABLE')
  }
  await workTask(ctx, task.id)
  return fail('REMOTE_NONE')
}

/** Ends the session: one whose picture was shown stays charged, any other is cancelled and refunded. */
export const kasmEnd: RemoteHandler<'kasmEnd'> = async (ctx) => {
  const task = (await findLiveRemoteSession(ctx.db, ctx.userId)) ?? fail('REMOTE_NONE')
  const done = await transact(ctx.db, ctx.actor, async (tx) => {
    await tx.audit('remote.ended', `service:${task.id}`, { userId: ctx.userId })
    return (
      (await moveTask(ctx, tx, { id: task.id, from: ['using'], to: { to: 'ended', cause: 'stopped' } })) ??
      (await moveTask(ctx, tx, { id: task.id, from: ['queued', 'starting', 'ready'], to: { to: 'failed', cause: 'given_up' } }))
    )
  })
  return done ? {} : fail('REMOTE_NONE')
}

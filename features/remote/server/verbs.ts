import { setTimeout as pause } from 'node:timers/promises'
import type { Ctx, Handler } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { hasCard } from '#features/cards/server/door.ts'
import { beginTask, isOfferedNow, moveTask, taskView, workTask } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import type { remoteContract } from '../contract.ts'
import { SOCKET_PATH } from '../wire.ts'
import { nodeNamed } from './data.ts'
import { isLongEnough, lengthsOf } from './length.ts'
import { remoteMinutes } from './settings.ts'
import { OWN, REMOTE, remoteService, startKey } from './spec.ts'
import { makeTicket } from './ticket.ts'
import { refuseTooOften } from './unused.ts'
import { supplierOf } from './vendors/index.ts'
import type { RemoteSupplier } from './vendors/port.ts'
import { countView, liveSession, sessionView } from './view.ts'

type Verb<K extends keyof typeof remoteContract> = Handler<(typeof remoteContract)[K]>

export const getKasm: Verb<'getKasm'> = async (ctx) => {
  const task = await liveSession(ctx.db, ctx.userId)
  return { session: task ? await sessionView(ctx, task) : null }
}

export const kasmCount: Verb<'kasmCount'> = (ctx) => countView(ctx)

const ASK_MS = 1000

export const getKasmUrl: Verb<'getKasmUrl'> = async (ctx, { waitSeconds }) => {
  const until = Date.now() + waitSeconds * 1000
  for (;;) {
    const { state = 'none' as const } = (await liveSession(ctx.db, ctx.userId)) ?? {}
    if (state === 'ready' || state === 'using') return { url: `${ctx.siteUrl()}/remote`, state }
    if (state === 'none' || Date.now() + ASK_MS > until) return { url: null, state }
    await pause(ASK_MS)
  }
}

export const kasmApply: Verb<'kasmApply'> = async (ctx, { more }) => {
  const tx = ctx.tx
  if (!(await hasCard(tx, ctx.userId))) fail('REMOTE_NEEDS_CARD')
  const live = await liveSession(tx, ctx.userId)
  if (more) {
    if (live?.state !== 'using') return fail('REMOTE_NONE')
    const lengths = await lengthsOf(ctx)
    if (isLongEnough(live, lengths)) fail('REMOTE_TOO_LONG', { minutes: lengths.most })
  } else {
    if (live) fail('REMOTE_GOES_ON')
    await refuseTooOften(ctx, tx, ctx.userId)
    if (!(await isOfferedNow(ctx, remoteService, tx))) fail('REMOTE_NOT_OFFERED')
  }
  const facts = more ? { session: live!.id } : {}
  // audited by beginTask
  const { task, pay } = await beginTask(ctx, tx, { service: REMOTE, userId: ctx.userId, product: more ? 'more' : 'session', facts })
  if (pay === null) tx.afterCommit(() => void workTask(ctx, task.id).catch((error: unknown) => ctx.log.warn({ err: error }, 'a remote browser is delayed')))
  return { task: taskView(task, ctx.lang), pay }
}

export const kasmOpen: Verb<'kasmOpen'> = async (ctx) => {
  const task = (await liveSession(ctx.db, ctx.userId)) ?? fail('REMOTE_NONE')
  if (task.state !== 'ready' && task.state !== 'using') return fail('REMOTE_NOT_READY', { state: task.state })
  return task.supplier === OWN ? onCanvas(ctx, task) : inWindow(ctx, task)
}

async function onCanvas(ctx: Ctx, task: Task) {
  const at = (await nodeNamed(ctx.db, task.supplier_ref ?? '')) ?? fail('REMOTE_NOT_READY', { state: task.state })
  const url = at.url === '' ? '' : new URL(SOCKET_PATH, at.url).href.replace(/^http/, 'ws')
  return { engine: 'canvas' as const, url, ticket: makeTicket(ctx.secretKey, { taskId: task.id, userId: ctx.userId }, Date.now()) }
}

/** Returns the address of the supplier's window and charges the session: with the address, its user sees the picture. */
async function inWindow(ctx: Ctx, task: Task) {
  const supplier = supplierOf(ctx)
  if (!supplier || supplier.name !== task.supplier) return fail('REMOTE_NOT_READY', { state: task.state })
  const url = await entrance(ctx, supplier, task)
  if (task.state === 'ready') {
    const expiresAt = new Date(task.now.getTime() + (await ctx.settings.get(remoteMinutes)) * 60_000)
    const moved = await transact(ctx.db, ctx.actor, (tx) => moveTask(ctx, tx, task.id, ['ready'], { to: 'using', expiresAt })) // audited by moveTask
    if (!moved && (await liveSession(ctx.db, ctx.userId))?.state !== 'using') fail('REMOTE_NONE')
  }
  return { engine: 'window' as const, url, ticket: '' }
}

/** Opens a session only if it is ready, and charges it then; if the supplier does not respond, nothing is charged. */
async function entrance(ctx: Ctx, supplier: RemoteSupplier, task: Task): Promise<string> {
  const ref = task.supplier_ref ?? ''
  try {
    if ((await supplier.look(ref)) === 'running') return await supplier.enter(startKey(task.id), ref)
  } catch (error) {
    ctx.log.warn({ taskId: task.id, why: (error as Error).message }, 'a remote browser could not be entered')
    return fail('REMOTE_UNREACHABLE')
  }
  await workTask(ctx, task.id)
  return fail('REMOTE_NONE')
}

/** Ends the session: one whose picture was shown stays charged, any other is given up and refunded. */
export const kasmEnd: Verb<'kasmEnd'> = async (ctx) => {
  const task = (await liveSession(ctx.db, ctx.userId)) ?? fail('REMOTE_NONE')
  const done = await transact(ctx.db, ctx.actor, async (tx) => {
    await tx.audit('remote.ended', `service:${task.id}`, { userId: ctx.userId })
    return (
      (await moveTask(ctx, tx, task.id, ['using'], { to: 'ended', cause: 'stopped' })) ??
      (await moveTask(ctx, tx, task.id, ['queued', 'starting', 'ready'], { to: 'failed', cause: 'given_up' }))
    )
  })
  return done ? {} : fail('REMOTE_NONE')
}

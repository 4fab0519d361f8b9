import type { Ctx, Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { Failure } from '#platform/shared/errors.ts'
import { usd } from '#platform/shared/money.ts'
import { hasCard } from '#features/cards/server/door.ts'
import { exitName, openExits } from '#features/proxy/server/door.ts'
import { aheadOf, countIn, endsInUse, isOfferedNow, priceOf, quotaNow, refuseSwitchedOff, tasksOf } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import type { RemoteCount, RemoteSession } from '../contract.ts'
import { isLongEnough, lengthsOf, MINUTE } from './length.ts'
import { remoteExit, remoteFileMegabytes, remoteFiles, remoteIncluded, remoteMinutes } from './settings.ts'
import { OWN, REMOTE, remoteService } from './spec.ts'
import { tooOften } from './unused.ts'
import { supplierOf } from './vendors/index.ts'

type State = RemoteSession['state']

/** The user's live session. */
export async function liveSession(sql: Sql, userId: string): Promise<(Task & { readonly state: State }) | undefined> {
  const live = await tasksOf(sql, { userId, service: REMOTE, phases: ['waiting', 'using'], limit: 20 })
  return live.find(({ product }) => product === 'session') as (Task & { readonly state: State }) | undefined
}

/** Minutes until a place is free for a task with `ahead` tasks before it, from the end times of live sessions; null if unknown. */
async function minutesUntil(deps: Deps, task: Task, ahead: number): Promise<number | null> {
  const ends = await endsInUse(deps.db, REMOTE, ahead + 1)
  const end = ends[ahead]
  return end ? Math.max(1, Math.ceil((end.getTime() - task.now.getTime()) / MINUTE)) : null
}

export async function sessionView(deps: Deps, task: Task & { readonly state: State }): Promise<RemoteSession> {
  const ahead = task.state === 'queued' && task.started_at ? await aheadOf(deps.db, REMOTE, ['queued'], task.started_at, task.id) : null
  return {
    id: task.id,
    state: task.state,
    engine: task.supplier === '' || task.supplier === OWN ? 'canvas' : 'window',
    ahead,
    aheadMinutes: ahead === null ? null : await minutesUntil(deps, task, ahead),
    isFree: task.free === 'taken',
    amount: usd(task.amount),
    deadlineTime: task.deadline_at?.toISOString() ?? null,
    startedTime: task.delivered_at?.toISOString() ?? null,
    expiresTime: task.expires_at?.toISOString() ?? null,
    canExtend: task.state === 'using' && !isLongEnough(task, await lengthsOf(deps)),
  }
}

export async function countView(ctx: Ctx): Promise<RemoteCount> {
  const { db, userId, settings } = ctx
  const [price, quota, minutes, exits, wish, waiting, included, most, megabytes] = await Promise.all([
    priceOf(ctx, REMOTE, 'session'),
    quotaNow(ctx, db, userId, REMOTE),
    settings.get(remoteMinutes),
    openExits(ctx),
    settings.get(remoteExit),
    countIn(db, REMOTE, 'queued', 'session'),
    settings.get(remoteIncluded),
    settings.get(remoteFiles),
    settings.get(remoteFileMegabytes),
  ])
  const often = await tooOften(ctx, db, userId)
  const exit = exits.find(({ id }) => id === wish) ?? exits[0]
  return {
    hasCard: await hasCard(db, userId),
    price: usd(price),
    minutes,
    allowed: quota.allowed,
    included,
    used: quota.used,
    remainingCount: quota.left,
    remainingMinutes: quota.left * minutes,
    isOffered: await isOfferedNow(ctx, remoteService),
    paused: await pausedWhy(ctx),
    place: exit ? exitName(exit, ctx.lang) : '',
    waiting,
    tooOften: often ? { most: often.most, againTime: often.again.toISOString() } : null,
    files: supplierOf(ctx) || most === 0 ? null : { most, megabytes },
  }
}

async function pausedWhy(ctx: Ctx): Promise<string | null> {
  try {
    await refuseSwitchedOff(ctx, remoteService, { user_id: ctx.userId, product: 'session', facts: {} })
    return null
  } catch (error) {
    if (error instanceof Failure && error.errorName === 'SERVICE_PAUSED') return String(error.data?.['reason'] ?? '')
    throw error
  }
}

import type { Ctx, Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { Failure } from '#platform/shared/errors.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { hasActiveCard } from '#features/cards/server/door.ts'
import { translateExitName, listOpenExits } from '#features/proxy/server/door.ts'
import {
  countTasksAhead,
  countWaitingTasks,
  selectUpcomingEnds,
  isOfferedNow,
  readServicePrice,
  readQuotaStatus,
  requireSwitchedOn,
  selectTasks,
} from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import type { RemoteCount, RemoteSession } from '../contract.ts'
import { wouldExceedLimit, readSessionLengths, MINUTE_MS } from './length.ts'
import { remoteExit, remoteFileMegabytes, remoteFiles, remoteIncluded, remoteMinutes } from './settings.ts'
import { OWN_ENGINE, REMOTE_SERVICE, remoteService } from './spec.ts'
import { findUnusedLimit } from './unused.ts'
import { findRemoteSupplier } from './vendors/index.ts'

type State = RemoteSession['state']

/** The user's live session. */
export async function findLiveRemoteSession(sql: Sql, userId: string): Promise<(Task & { readonly state: State }) | undefined> {
  const live = await selectTasks(sql, { userId, service: REMOTE_SERVICE, phases: ['waiting', 'using'], limit: 20 })
  return live.find(({ product }) => product === 'session') as (Task & { readonly state: State }) | undefined
}

/** Minutes until a place is free for a task with `ahead` tasks before it, from the end times of live sessions; null if unknown. */
async function estimateMinutesUntilFree(deps: Deps, task: Task, ahead: number): Promise<number | null> {
  const ends = await selectUpcomingEnds(deps.db, REMOTE_SERVICE, ahead + 1)
  const end = ends[ahead]
  return end ? Math.max(1, Math.ceil((end.getTime() - task.now.getTime()) / MINUTE_MS)) : null
}

export async function buildSessionView(deps: Deps, task: Task & { readonly state: State }): Promise<RemoteSession> {
  const ahead = task.state === 'queued' && task.started_at ? await countTasksAhead(deps.db, REMOTE_SERVICE, ['queued'], task.started_at, task.id) : null
  return {
    id: task.id,
    state: task.state,
    engine: task.supplier === '' || task.supplier === OWN_ENGINE ? 'canvas' : 'window',
    ahead,
    aheadMinutes: ahead === null ? null : await estimateMinutesUntilFree(deps, task, ahead),
    isFree: task.free === 'taken',
    amount: formatUsd(task.amount),
    deadlineTime: task.deadline_at?.toISOString() ?? null,
    startedTime: task.delivered_at?.toISOString() ?? null,
    expiresTime: task.expires_at?.toISOString() ?? null,
    canExtend: task.state === 'using' && !wouldExceedLimit(task, await readSessionLengths(deps)),
  }
}

export async function buildCountView(ctx: Ctx): Promise<RemoteCount> {
  const { db, userId, settings } = ctx
  const [price, quota, minutes, exits, wish, waiting, included, most, megabytes] = await Promise.all([
    readServicePrice(ctx, REMOTE_SERVICE, 'session'),
    readQuotaStatus(ctx, db, userId, REMOTE_SERVICE),
    settings.get(remoteMinutes),
    listOpenExits(ctx),
    settings.get(remoteExit),
    countWaitingTasks(db, REMOTE_SERVICE, 'queued', 'session'),
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
    await requireSwitchedOn(ctx, remoteService, { user_id: ctx.userId, product: 'session', facts: {} })
    return null
  } catch (error) {
    if (error instanceof Failure && error.errorName === 'SERVICE_PAUSED') return String(error.data?.['reason'] ?? '')
    throw error
  }
}

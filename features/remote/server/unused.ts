import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { selectUnusedReleases, type Task, moveTask, selectTasks, type TaskTransition } from '#features/services/server/door.ts'
import { remoteUnused, remoteMinutes, remoteMaxMinutes } from './settings.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { subtractNano, computePartShare } from '#platform/shared/money.ts'

export const MINUTE_MS = 60_000

/** Minutes of a use, and maximum minutes of a session with all added uses. */
interface SessionLengths {
  readonly minutes: number
  readonly most: number
}

export const readSessionLengths = async ({ settings }: Pick<Deps, 'settings'>): Promise<SessionLengths> => ({
  minutes: await settings.get(remoteMinutes),
  most: await settings.get(remoteMaxMinutes),
})

/** True if the session's time is up, even if it has not been ended yet. */
export const isSessionTimeUp = ({ expiresAt: end, now }: Pick<Task, 'expiresAt' | 'now'>): boolean => end === null || end <= now

/** True if another use would exceed the maximum length. Time given back for broken connections does not count. */
export function wouldExceedLimit(
  { expiresAt: end, deliveredAt: begin, facts }: Pick<Task, 'expiresAt' | 'deliveredAt' | 'facts'>,
  { minutes, most }: SessionLengths,
): boolean {
  const given = Number(facts['givenSeconds'] ?? 0) * 1000
  const whole = (end?.getTime() ?? 0) - (begin?.getTime() ?? 0) - given
  return whole + minutes * MINUTE_MS > most * MINUTE_MS
}

const HOURS = 24
/**
 * Causes that leave a place unused: the browser was starting or ready and no page opened it,
 * or it exited and its time was given back. A session that was only queued held no place.
 */
const UNUSED_CAUSES = ['nobody_came', 'given_up', 'broke', 'broke_early'] as const

export interface UnusedLimit {
  readonly most: number
  /** Time at which the oldest unused place is a day old. */
  readonly again: Date
}

/** Returns the limit and the time of the next allowed start if the user left too many places unused within 24 hours; undefined if not limited. */
export async function findUnusedLimit({ settings }: Pick<Deps, 'settings'>, sql: Sql, userId: string): Promise<UnusedLimit | undefined> {
  const most = await settings.get(remoteUnused)
  const letGo = await selectUnusedReleases(sql, { userId, service: 'remote', product: 'session', causes: UNUSED_CAUSES, hours: HOURS })
  const oldest = letGo[letGo.length - most]
  return oldest && { most, again: new Date(oldest.getTime() + HOURS * 3_600_000) }
}

export async function requireBelowUnusedLimit(deps: Pick<Deps, 'settings'>, sql: Sql, userId: string): Promise<void> {
  const told = await findUnusedLimit(deps, sql, userId)
  if (told) fail('REMOTE_TOO_OFTEN', { most: told.most })
}

/**
 * Outcome of a session whose browser crashed: refunds the unused minutes, a started one included. A free use is returned if it broke in
 * its first half.
 */
export async function resolveBrokenSession(deps: Pick<Deps, 'db' | 'settings'>, task: Task): Promise<TaskTransition> {
  const whole = await deps.settings.get(remoteMinutes)
  const left = countUnusedMinutes((await listAddedUses(deps.db, task)).length, countMinutesLeft(task), whole)
  if (task.free === 'taken') return { to: 'failed', cause: left * 2 > whole ? 'broke_early' : 'broke_late' }
  return { to: 'failed', cause: 'broke', back: computePartShare(subtractNano(task.charged, task.returned), BigInt(left), BigInt(whole)) }
}

/** Refunds the added uses by the same rule as the session itself, in the transaction that ends it. */
export async function refundAddedUses(deps: Deps, tx: Tx, session: Task): Promise<void> {
  const { cause } = session
  if (cause !== 'lost' && !cause.startsWith('broke')) return
  const whole = await deps.settings.get(remoteMinutes)
  const left = countMinutesLeft(session)
  for (const [n, { id, charged, returned }] of (await listAddedUses(tx, session)).entries()) {
    const unused = cause === 'lost' ? whole : countUnusedMinutes(n, left, whole)
    const giveBack = computePartShare(subtractNano(charged, returned), BigInt(unused), BigInt(whole))
    if (unused > 0) await moveTask(deps, tx, { id, from: ['joined'], to: { to: 'joined', giveBack, returnsUse: unused * 2 > whole, note: cause } })
  }
}

/** Lists the uses that were added to a session, newest first. */
async function listAddedUses(sql: Sql, session: Task): Promise<Task[]> {
  const done = await selectTasks(sql, { userId: session.userId, service: 'remote', phases: ['done'], limit: 200 })
  return done.filter(({ state, facts }) => state === 'joined' && facts['session'] === session.id)
}

const countMinutesLeft = ({ expiresAt: end, now }: Task): number => Math.max(0, Math.ceil(((end?.getTime() ?? 0) - now.getTime()) / MINUTE_MS))

/** Unused minutes of a use with `after` later ones; the remaining time belongs to the uses added last. */
const countUnusedMinutes = (after: number, left: number, whole: number): number => Math.max(0, Math.min(whole, left - after * whole))

import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { selectUnusedReleases } from '#features/services/server/door.ts'
import { remoteUnused } from './settings.ts'

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

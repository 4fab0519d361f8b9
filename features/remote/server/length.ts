import type { Deps } from '#platform/server/feature.ts'
import type { Task } from '#features/services/server/door.ts'
import { remoteMinutes, remoteMaxMinutes } from './settings.ts'

export const MINUTE_MS = 60_000

/** Minutes of a use, and maximum minutes of a session with all added uses. */
export interface SessionLengths {
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

import type { Deps } from '#platform/server/feature.ts'
import type { Task } from '#features/services/server/door.ts'
import { remoteMinutes, remoteMaxMinutes } from './settings.ts'

export const MINUTE_MS = 60_000

/** Minutes of a use, and of a session with everything that was added. */
export interface SessionLengths {
  readonly minutes: number
  readonly most: number
}

export const readSessionLengths = async ({ settings }: Pick<Deps, 'settings'>): Promise<SessionLengths> => ({
  minutes: await settings.get(remoteMinutes),
  most: await settings.get(remoteMaxMinutes),
})

/** Its time is up, whether or not it has been ended. */
export const isSessionTimeUp = ({ expires_at: end, now }: Pick<Task, 'expires_at' | 'now'>): boolean => end === null || end <= now

/** Another use would make it longer than one may be. What broken connections gave back does not count. */
export function wouldExceedLimit(
  { expires_at: end, delivered_at: begin, facts }: Pick<Task, 'expires_at' | 'delivered_at' | 'facts'>,
  { minutes, most }: SessionLengths,
): boolean {
  const given = Number(facts['givenSeconds'] ?? 0) * 1000
  const whole = (end?.getTime() ?? 0) - (begin?.getTime() ?? 0) - given
  return whole + minutes * MINUTE_MS > most * MINUTE_MS
}

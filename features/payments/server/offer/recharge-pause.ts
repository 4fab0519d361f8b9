import type { Deps } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { dayAfter, shanghaiDay } from '#platform/shared/time.ts'
import { rechargePause } from '../settings.ts'

/** Days before it that the pages tell of it. */
const AHEAD_MS = 7 * 86_400_000

export interface Pause {
  readonly from: string
  readonly to: string
  /** The first day after it. */
  readonly resumes: string
  readonly isNow: boolean
}

/** The holiday in which nothing is recharged, from a week before it; null for none. */
export async function pauseNow({ settings, clock }: Pick<Deps, 'settings' | 'clock'>): Promise<Pause | null> {
  const pause = await settings.get(rechargePause)
  const now = clock.now()
  const today = shanghaiDay(now)
  if (!pause || today > pause.to || shanghaiDay(new Date(now.getTime() + AHEAD_MS)) < pause.from) return null
  return { ...pause, resumes: dayAfter(pause.to), isNow: today >= pause.from }
}

/** Errors: RECHARGE_PAUSED with `resumes`. */
export async function refusePaused(deps: Pick<Deps, 'settings' | 'clock'>): Promise<void> {
  const pause = await pauseNow(deps)
  if (pause?.isNow) fail('RECHARGE_PAUSED', { resumes: pause.resumes })
}

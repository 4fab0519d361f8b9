import type { Deps } from '#platform/server/feature.ts'
import { fail } from '#platform/shared/errors.ts'
import { getNextDay, toShanghaiDay } from '#platform/shared/time.ts'
import { rechargePause } from '../settings.ts'

/** Number of days before the holiday that pages announce it. */
const ANNOUNCED_AHEAD_MS = 7 * 86_400_000

export interface RechargePause {
  readonly from: string
  readonly to: string
  /** First day after the holiday. */
  readonly resumes: string
  readonly isNow: boolean
}

/** The holiday that pauses recharging, from a week before it; null for none. */
export async function readRechargePause({ settings, clock }: Pick<Deps, 'settings' | 'clock'>): Promise<RechargePause | null> {
  const pause = await settings.get(rechargePause)
  const now = clock.now()
  const today = toShanghaiDay(now)
  if (!pause || today > pause.to || toShanghaiDay(new Date(now.getTime() + ANNOUNCED_AHEAD_MS)) < pause.from) return null
  return { ...pause, resumes: getNextDay(pause.to), isNow: today >= pause.from }
}

/** Errors: RECHARGE_PAUSED with `resumes`. */
export async function requireNoRechargePause(deps: Pick<Deps, 'settings' | 'clock'>): Promise<void> {
  const pause = await readRechargePause(deps)
  if (pause?.isNow) fail('RECHARGE_PAUSED', { resumes: pause.resumes })
}

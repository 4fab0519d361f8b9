import type { RobotProduct } from './product.ts'

const [HOUR_MS, SHANGHAI_MS] = [3_600_000, 8 * 3_600_000]
export const RUN_DAY_MS = 24 * HOUR_MS

/** Milliseconds until the next eleven o'clock in Shanghai on a working day of the desk. */
export function computeMsUntilEleven(now: number): number {
  const local = now + SHANGHAI_MS
  let at = Math.floor(local / RUN_DAY_MS) * RUN_DAY_MS + 11 * HOUR_MS
  while (at <= local || [0, 6].includes(new Date(at).getUTCDay())) at += RUN_DAY_MS
  return at - local
}

/** Starts a run at eleven in the morning, so that its start time has no influence on the draws. */
export const moveClockToEleven = (product: RobotProduct): Promise<void> => product.moveClock(computeMsUntilEleven(Date.now() + product.movedMs()))

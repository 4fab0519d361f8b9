import type { RobotProduct } from './product.ts'

const [HOUR_MS, SHANGHAI_MS] = [3_600_000, 8 * 3_600_000]
export const RUN_DAY_MS = 24 * HOUR_MS

/** Milliseconds until it is next eleven o'clock in Shanghai, on a day on which people are at the desk. */
export function computeMsUntilEleven(now: number): number {
  const local = now + SHANGHAI_MS
  let at = Math.floor(local / RUN_DAY_MS) * RUN_DAY_MS + 11 * HOUR_MS
  while (at <= local || [0, 6].includes(new Date(at).getUTCDay())) at += RUN_DAY_MS
  return at - local
}

/** Begins a run at eleven in the morning, so that the time at which it is started draws nothing. */
export const moveClockToEleven = (product: RobotProduct): Promise<void> => product.moveClock(computeMsUntilEleven(Date.now() + product.movedMs()))

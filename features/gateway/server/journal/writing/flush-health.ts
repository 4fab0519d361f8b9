/** Tracks how long the database has kept the journal's rows waiting. Refusals and /readyz depend on it. */
export interface FlushHealth {
  /** Longest wait of a call for rows to be accepted. */
  readonly refuseMs: number
  /** Flushes under way, oldest first. */
  readonly flights: Set<{ readonly at: number }>
  answeredAt: number
  /** Time since which the database accepts no rows; undefined while it does. */
  failingSince: number | undefined
  waiting: Array<() => void>
}

/** A flush takes a few ms. Beyond this, a new call waits before it is sent: its vendor bills even if its row is never written. */
const SLOW_MS = 150

export const createFlushHealth = (refuseMs: number): FlushHealth => ({
  refuseMs,
  flights: new Set(),
  answeredAt: -Infinity,
  failingSince: undefined,
  waiting: [],
})

export function recordFlushSuccess(pulse: FlushHealth): void {
  pulse.answeredAt = performance.now()
  clearFlushFailure(pulse)
}

export function recordFlushFailure(pulse: FlushHealth): void {
  pulse.failingSince ??= performance.now()
}

/** Called when no flush fails or no row waits any more: the next call is tried. */
export function clearFlushFailure(pulse: FlushHealth): void {
  pulse.failingSince = undefined
  const { waiting } = pulse
  pulse.waiting = []
  for (const wake of waiting) wake()
}

export const isFlushSlow = (pulse: FlushHealth): boolean => measureWaitMs(pulse) > SLOW_MS
export const isFlushStuck = (pulse: FlushHealth): boolean => measureWaitMs(pulse) >= pulse.refuseMs

/** Returns false if rows still wait after `refuseMs`; at once if they have waited that long already. */
export async function waitUntilQuick(pulse: FlushHealth): Promise<boolean> {
  const left = pulse.refuseMs - measureWaitMs(pulse)
  if (left > 0)
    await new Promise<void>((done) => {
      const timer = setTimeout(done, left)
      pulse.waiting.push(() => {
        clearTimeout(timer)
        done()
      })
    })
  // a delayed event loop runs timers before it reads input: the reply may have arrived already
  await new Promise((done) => setImmediate(done))
  return !isFlushStuck(pulse)
}

function measureWaitMs({ flights, answeredAt, failingSince }: FlushHealth): number {
  if (failingSince !== undefined) return performance.now() - failingSince
  const oldest = flights.values().next().value
  return oldest === undefined ? 0 : performance.now() - Math.max(oldest.at, answeredAt)
}

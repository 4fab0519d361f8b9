/** How long the database has kept the journal's rows waiting. Refusals and /readyz follow it. */
export interface FlushHealth {
  /** So long a call waits for rows to be taken. */
  readonly refuseMs: number
  /** Flushes under way, oldest first. */
  readonly flights: Set<{ readonly at: number }>
  answeredAt: number
  /** Since when the database takes nothing; undefined while it does. */
  failingSince: number | undefined
  waiting: Array<() => void>
}

/** A flush takes a few ms. A call that would be dialled now waits instead: its vendor bills even if its row is never written. */
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

/** Nothing fails, or nothing waits any more: the next call tries. */
export function clearFlushFailure(pulse: FlushHealth): void {
  pulse.failingSince = undefined
  const { waiting } = pulse
  pulse.waiting = []
  for (const wake of waiting) wake()
}

export const isFlushSlow = (pulse: FlushHealth): boolean => measureWaitMs(pulse) > SLOW_MS
export const isFlushStuck = (pulse: FlushHealth): boolean => measureWaitMs(pulse) >= pulse.refuseMs

/** False when rows still wait after `refuseMs`; at once where they have waited for so long already. */
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
  // a loop that was held up finds its timers before what has come in: the answer may be there
  await new Promise((done) => setImmediate(done))
  return !isFlushStuck(pulse)
}

function measureWaitMs({ flights, answeredAt, failingSince }: FlushHealth): number {
  if (failingSince !== undefined) return performance.now() - failingSince
  const oldest = flights.values().next().value
  return oldest === undefined ? 0 : performance.now() - Math.max(oldest.at, answeredAt)
}

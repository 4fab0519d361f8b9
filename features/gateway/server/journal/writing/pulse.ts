/** How long the database has kept the journal's rows waiting. Refusals and /readyz follow it. */
export interface Pulse {
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

export const createPulse = (refuseMs: number): Pulse => ({ refuseMs, flights: new Set(), answeredAt: -Infinity, failingSince: undefined, waiting: [] })

export function answered(pulse: Pulse): void {
  pulse.answeredAt = performance.now()
  rest(pulse)
}

export function failed(pulse: Pulse): void {
  pulse.failingSince ??= performance.now()
}

/** Nothing fails, or nothing waits any more: the next call tries. */
export function rest(pulse: Pulse): void {
  pulse.failingSince = undefined
  const { waiting } = pulse
  pulse.waiting = []
  for (const wake of waiting) wake()
}

export const isSlow = (pulse: Pulse): boolean => waitedMs(pulse) > SLOW_MS
export const isStuck = (pulse: Pulse): boolean => waitedMs(pulse) >= pulse.refuseMs

/** False when rows still wait after `refuseMs`; at once where they have waited for so long already. */
export async function whenQuick(pulse: Pulse): Promise<boolean> {
  const left = pulse.refuseMs - waitedMs(pulse)
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
  return !isStuck(pulse)
}

function waitedMs({ flights, answeredAt, failingSince }: Pulse): number {
  if (failingSince !== undefined) return performance.now() - failingSince
  const oldest = flights.values().next().value
  return oldest === undefined ? 0 : performance.now() - Math.max(oldest.at, answeredAt)
}

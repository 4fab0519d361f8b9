/** Slowdown factor of this machine now; measured at the start of a run (scripts/test/pace.ts). */
const SLOWNESS = Math.max(1, Number(process.env['TEST_PATIENCE']) || 1)

/** Scales a wait in milliseconds by the machine's slowdown. */
export const scaleTimeout = (ms: number): number => Math.ceil(ms * SLOWNESS)

/** Timeout of waits in tests: long, because a wait in vain fails the test anyway. */
export const PATIENCE_MS = scaleTimeout(60_000)

/** Polls until there is a value, for at most PATIENCE_MS. */
export async function waitForValue<T>(ask: () => Promise<T | undefined> | T | undefined, what: string, everyMs = 20): Promise<T> {
  const last = performance.now() + PATIENCE_MS
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (performance.now() > last) throw new Error(`waited in vain for ${what}`)
    await new Promise((done) => setTimeout(done, everyMs))
  }
}

const [DAY_MS, SHANGHAI_MS] = [86_400_000, 8 * 3_600_000]

/** Waits until after Shanghai's midnight if it is near: for tests of daily sums and limits, which would otherwise span two days. */
export async function waitPastMidnight(nearMs = scaleTimeout(20_000)): Promise<void> {
  const left = DAY_MS - ((Date.now() + SHANGHAI_MS) % DAY_MS)
  if (left < nearMs) await new Promise((done) => setTimeout(done, left + 1))
}

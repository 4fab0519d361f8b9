/** How many times longer than usual things take on this machine now; measured at the start of a run (scripts/test/pace.ts). */
const SLOWNESS = Math.max(1, Number(process.env['TEST_PATIENCE']) || 1)

/** A wait of so many milliseconds on a machine that is as fast as usual. */
export const scaleTimeout = (ms: number): number => Math.ceil(ms * SLOWNESS)

/** Timeout of waits in tests: long, because a wait in vain fails the test anyway. */
export const PATIENCE_MS = scaleTimeout(60_000)

/** Asks until there is an answer, for as long as a test's patience lasts. */
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

/** Waits over Shanghai's midnight where it is near: for tests of a day's sums and limits, which would be those of two days. */
export async function waitPastMidnight(nearMs = scaleTimeout(20_000)): Promise<void> {
  const left = DAY_MS - ((Date.now() + SHANGHAI_MS) % DAY_MS)
  if (left < nearMs) await new Promise((done) => setTimeout(done, left + 1))
}

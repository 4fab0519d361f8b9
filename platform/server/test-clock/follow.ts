import { readFileSync, writeFileSync } from 'node:fs'

/** Polling interval of the file in milliseconds. */
export const CLOCK_POLL_MS = 20

const RealDate = globalThis.Date
let aheadMs = 0

/**
 * Development and tests only: shifts this process's time by the milliseconds in the file, now and whenever the file changes. Timers are not
 * shifted; anything that waits by the database's time or by Date is due at once.
 */
export function followTestClock(file: string): void {
  globalThis.Date = createMovedDate()
  aheadMs = readAhead(file)
  setInterval(() => {
    aheadMs = readAhead(file)
  }, CLOCK_POLL_MS).unref()
}

/** Writes the file that processes follow; the database has its own row (data.ts). */
export function writeTestClock(file: string, ms: number): void {
  writeFileSync(file, String(ms))
}

/** A missing or half-written file changes nothing. */
function readAhead(file: string): number {
  try {
    const ms = Number(readFileSync(file, 'utf8').trim() || Number.NaN)
    return Number.isFinite(ms) ? ms : aheadMs
  } catch {
    return aheadMs
  }
}

function createMovedDate(): DateConstructor {
  const now = (): number => RealDate.now() + aheadMs
  return new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (target, args: [], newTarget) => Reflect.construct(target, args.length ? args : [now()], newTarget === target ? target : newTarget),
    get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
  })
}

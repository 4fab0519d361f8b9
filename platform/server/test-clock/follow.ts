import { readFileSync, writeFileSync } from 'node:fs'

/** How often a process looks at the file, in milliseconds. */
export const LOOK_MS = 20

const Wall = globalThis.Date
let ahead = 0

/**
 * Development and tests only: this process's time is the machine's plus the milliseconds that stand in the file, from now on and whenever the file
 * changes. Timers run as before; what waits by the database's time or by Date is due at once.
 */
export function followTestClock(file: string): void {
  globalThis.Date = movedDate()
  ahead = readAhead(file)
  setInterval(() => {
    ahead = readAhead(file)
  }, LOOK_MS).unref()
}

/** Writes the file that processes follow; the database has its own row (data.ts). */
export function writeTestClock(file: string, ms: number): void {
  writeFileSync(file, String(ms))
}

/** A file that is not there, or half written, changes nothing. */
function readAhead(file: string): number {
  try {
    const ms = Number(readFileSync(file, 'utf8').trim() || Number.NaN)
    return Number.isFinite(ms) ? ms : ahead
  } catch {
    return ahead
  }
}

function movedDate(): DateConstructor {
  const now = (): number => Wall.now() + ahead
  return new Proxy(Wall, {
    apply: () => new Wall(now()).toString(),
    construct: (target, args: [], newTarget) => Reflect.construct(target, args.length ? args : [now()], newTarget === target ? target : newTarget),
    get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
  })
}

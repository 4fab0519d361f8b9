import { belonging } from './processes.ts'

/** A part is stuck when no test of it has ended for so long, in time that counts. */
const STUCK_MS = 5 * 60_000
const LOOK_MS = 2_000
/** Below this share of one core nothing is being computed: everybody waits. */
const IDLE_SHARE = 0.03
/** At least so much of the time counts: servers and a browser that wait for nothing in particular still use a tenth of a core. */
const LEAST_SHARE = 1 / 3

/**
 * Which time counts: what the part computed, or all of it while nothing is computed. So a machine that is slow, or busy with
 * something else, is waited for as long as it needs, and a test that waits for what never comes is found all the same.
 */
export const timeThatCounts = (passedMs: number, cpuMs: number): number =>
  cpuMs < passedMs * IDLE_SHARE ? passedMs : Math.min(passedMs, Math.max(cpuMs, passedMs * LEAST_SHARE))

/** Calls `onStuck` once when nothing has moved for too long. `moved` is told of each sign of life. */
export function watchForStuck(
  mark: string,
  folder: string,
  pace: number,
  onStuck: (minutes: number) => void,
  limitMs = STUCK_MS,
): { moved(): void; stop(): void } {
  let counted = 0
  let before = performance.now()
  let seen = new Map<number, number>()
  const timer = setInterval(() => {
    const now = performance.now()
    const cpu = new Map(belonging(mark, folder).map(({ pid, cpuMs }) => [pid, cpuMs]))
    let spent = 0
    for (const [pid, cpuMs] of cpu) spent += cpuMs - (seen.get(pid) ?? 0)
    counted += timeThatCounts(now - before, spent)
    before = now
    seen = cpu
    if (counted < limitMs * pace) return
    clearInterval(timer)
    onStuck((limitMs * pace) / 60_000)
  }, LOOK_MS)
  return {
    moved: () => {
      counted = 0
    },
    stop: () => clearInterval(timer),
  }
}

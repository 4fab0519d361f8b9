import { listRunProcesses } from './processes.ts'

/** Counted time without a finished test after which a part is stuck. */
const STUCK_MS = 5 * 60_000
const STUCK_POLL_MS = 2_000
/** Below this share of one core nothing is computed: all processes wait. */
const IDLE_SHARE = 0.03
/** Minimum share of the elapsed time that counts: idle servers and browsers still use a tenth of a core. */
const MIN_SHARE = 1 / 3

/**
 * Counted time: the part's processor time, or all elapsed time while it is idle. A slow or busy machine thus gets the time it needs, while a test
 * that waits in vain is still detected.
 */
export const computeCountedMs = (passedMs: number, cpuMs: number): number =>
  cpuMs < passedMs * IDLE_SHARE ? passedMs : Math.min(passedMs, Math.max(cpuMs, passedMs * MIN_SHARE))

/** Calls `onStuck` once after too long without progress. Call `moved` on each sign of progress. */
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
    const cpu = new Map(listRunProcesses(mark, folder).map(({ pid, cpuMs }) => [pid, cpuMs]))
    let spent = 0
    for (const [pid, cpuMs] of cpu) spent += cpuMs - (seen.get(pid) ?? 0)
    counted += computeCountedMs(now - before, spent)
    before = now
    seen = cpu
    if (counted < limitMs * pace) return
    clearInterval(timer)
    onStuck((limitMs * pace) / 60_000)
  }, STUCK_POLL_MS)
  return {
    moved: () => {
      counted = 0
    },
    stop: () => clearInterval(timer),
  }
}

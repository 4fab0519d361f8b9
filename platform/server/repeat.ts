import type { Log } from './log.ts'

/** Upper bound of the jittered first run, so that a restart delays no job by more. */
export const FIRST_RUN_MS = 1_000

export interface Repeater {
  /** Runs soon after the start, then `everyMs` after the end of each run; a failed run is logged and does not stop the schedule. */
  add(name: string, everyMs: number, run: () => Promise<void>): void
  /** Starts no further run; resolves when the current ones are done. */
  stop(): Promise<void>
}

/** Work that this process repeats more often than once a minute. */
export function createRepeater(log: Pick<Log, 'error'>): Repeater {
  const timers = new Map<string, NodeJS.Timeout>()
  const running = new Set<Promise<void>>()
  let stopped = false

  return {
    add: (name, everyMs, run) => {
      const after = (ms: number) => {
        if (!stopped) timers.set(name, setTimeout(begin, ms).unref())
      }
      const begin = () => {
        const done: Promise<void> = run()
          .catch((error: unknown) => log.error({ err: error, job: name }, 'job failed'))
          .finally(() => {
            running.delete(done)
            after(everyMs)
          })
        running.add(done)
      }
      after(Math.random() * Math.min(everyMs, FIRST_RUN_MS))
    },
    stop: async () => {
      stopped = true
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(running)
    },
  }
}

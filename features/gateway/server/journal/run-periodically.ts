import type { Log } from '#platform/server/log.ts'

/** Runs `work` again and again, `pause()` ms after the end of each run; a failure is logged. The function stops it and waits for the run under way. */
export function runPeriodically(pause: () => number, work: () => Promise<void>, log: Pick<Log, 'warn'>, failed: string): () => Promise<void> {
  let timer: NodeJS.Timeout
  let running: Promise<void> = Promise.resolve()
  let stopped = false
  const again = () => {
    timer = setTimeout(() => {
      running = work()
        .catch((error: unknown) => log.warn({ err: error }, failed))
        .finally(() => {
          if (!stopped) again()
        })
    }, pause())
    timer.unref()
  }
  again()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}

import type { RunEvent, LastRun } from './record.ts'

const EVERY_MS = 15_000
const TTY_EVERY_MS = 500

export interface RunProgress {
  /** A part, or a step without tests, begins. */
  begin(part: string, files: readonly string[]): void
  heard(event: RunEvent): void
  /** Time of each file in this run so far. */
  files(): LastRun['files']
  slowest(count: number): string[]
  end(): void
}

interface FileProgress {
  tests: number
  ms: number
}

/**
 * Shows the progress of a run: the part, tests done and in total, the slowest so far, and the remaining time based on the last run. On a terminal one
 * line that is updated; elsewhere a line every 15 seconds. Failures are printed at once.
 */
export function showProgress(plan: ReadonlyMap<string, readonly string[]>, last: LastRun, out = process.stdout): RunProgress {
  const from = performance.now()
  const planned = [...plan.values()].flat()
  const files = new Map<string, FileProgress>()
  const slow: { at: string; ms: number }[] = []
  let part = ''
  let done = 0
  let failed = 0
  const line = () => {
    const known = planned.reduce((all, file) => all + (files.get(file)?.tests ?? last.files[file]?.tests ?? 0), 0)
    const [worst] = slow
    return [
      part,
      `${done} of ${isKnown(planned, last, files) ? known : `${known}+`} tests`,
      failed ? `${failed} failed` : '',
      formatRunMinutes(performance.now() - from),
      formatTimeLeft(planned, last, { files, passedMs: performance.now() - from }),
      worst ? `slowest ${formatRunSeconds(worst.ms)} ${worst.at}` : '',
    ]
      .filter(Boolean)
      .join(' · ')
  }
  const clear = () => {
    if (out.isTTY) out.write('\r\u001b[K')
  }
  const print = (text: string) => {
    clear()
    out.write(`${text}\n`)
  }
  const timer = setInterval(
    () => {
      if (out.isTTY) out.write(`\r\u001b[K${line().slice(0, (out.columns ?? 100) - 1)}`)
      else print(`   ${line()}`)
    },
    out.isTTY ? TTY_EVERY_MS : EVERY_MS,
  )
  const heard = (event: RunEvent): void => {
    if (event.kind === 'collected') files.set(event.file, { tests: event.tests, ms: 0 })
    if (event.kind === 'said') print(event.text.replace(/^/gm, '   | '))
    if (event.kind === 'file') {
      const seen = files.get(event.file) ?? { tests: 0, ms: 0 }
      files.set(event.file, { ...seen, ms: Math.max(1, event.ms) })
      for (const problem of event.problems) print(formatFailure(event.file, problem))
    }
    if (event.kind === 'ended') for (const problem of event.problems) print(formatFailure(part, problem))
    if (event.kind !== 'test') return
    done++
    for (const problem of event.problems) print(formatFailure(event.at, problem))
    if (event.state === 'failed') failed++
    slow.push({ at: event.at, ms: event.ms })
    slow.sort((a, b) => b.ms - a.ms)
    slow.length = Math.min(slow.length, 20)
  }
  return {
    begin: (name, begun) => {
      part = name
      print(`\n== ${name}${begun.length ? ` (${begun.length} files)` : ''}`)
    },
    heard,
    files: () => Object.fromEntries(files),
    slowest: (count) => slow.slice(0, count).map(({ at, ms }) => `${formatRunSeconds(ms).padStart(8)}  ${at}`),
    end: () => {
      clearInterval(timer)
      clear()
    },
  }
}

const isKnown = (planned: readonly string[], last: LastRun, files: ReadonlyMap<string, FileProgress>): boolean =>
  planned.every((file) => files.has(file) || last.files[file])

/** Estimates the remaining time from the last run's times, at this run's pace. Empty if the last run did not include the files. */
function formatTimeLeft(
  planned: readonly string[],
  last: LastRun,
  { files, passedMs }: { readonly files: ReadonlyMap<string, FileProgress>; readonly passedMs: number },
): string {
  let before = 0
  let left = 0
  for (const file of planned) {
    const took = last.files[file]?.ms
    if (took === undefined) return ''
    if (files.get(file)?.ms) before += took
    else left += took
  }
  return before > 0 && left > 0 ? `about ${formatRunMinutes((passedMs * left) / before)} left` : ''
}

const formatFailure = (at: string, problem: string): string => `FAILED ${at}\n${problem.replace(/^/gm, '    ')}`
export const formatRunSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
export const formatRunMinutes = (ms: number): string => `${Math.floor(ms / 60_000)}:${String(Math.floor((ms % 60_000) / 1000)).padStart(2, '0')}`

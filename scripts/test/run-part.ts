import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { TestCounts, RunEvent } from './record.ts'
import { PARTS, TEST_ROOT, countWorkers } from './parts.ts'
import type { PartName } from './parts.ts'
import { RUN_VARIABLE } from './run-folder.ts'
import type { RunFolder } from './run-folder.ts'
import { listRunProcesses } from './processes.ts'

/** Counted time without a finished test after which a part is stuck. */
const STUCK_MS = 5 * 60_000
const STUCK_POLL_MS = 2_000
/** Below this share of one core the part is idle: all processes wait. */
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
function watchForStuck(
  mark: string,
  folder: string,
  { pace, onStuck, limitMs = STUCK_MS }: { readonly pace: number; readonly onStuck: (minutes: number) => void; readonly limitMs?: number },
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

const REPORTER = join(import.meta.dirname, 'reporter.ts')
const VITEST = join(TEST_ROOT, 'node_modules/vitest/vitest.mjs')

export interface PartRun {
  readonly run: RunFolder
  readonly pace: number
  readonly env?: NodeJS.ProcessEnv
  /** Files to run, by default all of the part's; tests whose name contains `title`. */
  readonly files?: readonly string[] | undefined
  readonly title?: string | undefined
  readonly cwd?: string
  readonly onEvent?: (event: RunEvent) => void
  /** Receives a line for each failure. */
  readonly said?: string[]
  /** Time without a finished test that counts as stuck; for tests of this file. */
  readonly stuckMs?: number
}

/** Runs one of Vitest's projects and counts its tests. A part without a readable end, or with an error outside any test, has a failure. */
export async function runPart(name: string, options: PartRun): Promise<TestCounts> {
  const { run, pace, env = process.env, files = [], title, cwd = TEST_ROOT, onEvent = () => {}, said = [], stuckMs } = options
  const workers = PARTS[name as PartName]?.more ? [`--maxWorkers=${countWorkers(name as PartName)}`] : []
  const args = [VITEST, 'run', '--project', name, '--passWithNoTests', `--reporter=${REPORTER}`, ...workers, ...(title ? ['-t', title] : []), ...files]
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const open = new Set<string>()
  let ended = false
  let stuck = false
  const fail = (line: string) => {
    counts.failed++
    said.push(line)
  }
  // In a separate session: a terminal's Ctrl-C reaches only the run, which ends the rest.
  const child = spawn(process.execPath, args, { cwd, env: { ...env, ...run.env }, stdio: ['ignore', 'ignore', 'pipe', 'ipc'], detached: true })
  let stderr = ''
  child.stderr!.on('data', (text) => {
    stderr = (stderr + text).slice(-20_000)
  })
  const watch = watchForStuck(`${RUN_VARIABLE}=${run.folder}`, run.folder, {
    pace,
    onStuck: (minutes) => {
      stuck = true
      fail(`${name}: nothing ended for ${minutes.toFixed(1)} minutes; under way: ${[...open].join(', ') || 'no test'}`)
      void run.end()
    },
    limitMs: stuckMs,
  })
  child.on('message', (event: RunEvent) => {
    watch.moved()
    if (event.kind === 'begun') open.add(event.at)
    if (event.kind === 'hook-ended') open.delete(event.at)
    if (event.kind === 'test') {
      open.delete(event.at)
      counts[event.state]++
      if (event.state === 'failed') said.push(`${event.at}: ${firstLine(event.problems)}`)
    }
    if (event.kind === 'file') for (const problem of event.problems) fail(`${event.file} > not run: ${firstLine([problem])}`)
    if (event.kind === 'ended') {
      ended = true
      for (const problem of event.problems) fail(`${name}: outside any test: ${firstLine([problem])}`)
    }
    onEvent(event)
  })
  const code = await new Promise((done) => child.on('error', done).on('close', done))
  watch.stop()
  if (!stuck && (!ended || (code !== 0 && counts.failed === 0)))
    fail(`${name}: Vitest ended with ${String(code)}: ${stderr.trim().split('\n').slice(-5).join(' / ')}`)
  return counts
}

const firstLine = (problems: readonly string[]): string => problems[0]?.split('\n')[0] ?? ''

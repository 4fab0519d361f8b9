import { readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { TEST_ROOT } from './parts.ts'
import { listRunProcesses } from './processes.ts'
import { RUN_VARIABLE } from './run-folder.ts'
import type { RunFolder } from './run-folder.ts'

const SAMPLE_MS = 1_000
/**
 * The database that a backend serves, according to its process title; test databases have their file's process and number in their name
 * (worker.ts).
 */
const BACKEND = /^postgres: .*\btest_(\d+n\d+)_/

export interface Profile {
  /** Processor seconds by file, largest first, with PostgreSQL's share. */
  report(): string[]
  totalMs(): number
  stop(): void
}

/**
 * Measures processor time by test file: its process while it runs the file, all processes that it started and waited for, and PostgreSQL's backends
 * of its databases, sampled every second. Connections shorter than a second are in the last line.
 */
export function startProfile(run: RunFolder): Profile {
  const backends = new Map<string, number>()
  const seen = new Map<number, number>()
  let total = 0
  const look = () => {
    for (const { pid, cpuMs, name } of listRunProcesses(`${RUN_VARIABLE}=${run.folder}`, run.folder)) {
      const spent = cpuMs - (seen.get(pid) ?? 0)
      seen.set(pid, cpuMs)
      total += spent
      if (name !== 'postgres' || spent === 0) continue
      const worker = BACKEND.exec(readTitle(pid))?.[1] ?? ''
      backends.set(worker, (backends.get(worker) ?? 0) + spent)
    }
  }
  const timer = setInterval(look, SAMPLE_MS)
  return {
    totalMs: () => total,
    stop: () => clearInterval(timer),
    report: () => {
      const files = readWorkerNotes(run.folder).map(({ file, path, cpuMs }) => ({ path, own: cpuMs, base: backends.get(file) ?? 0 }))
      const base = [...backends.values()].reduce((all, one) => all + one, 0)
      const named = files.reduce((all, one) => all + one.base, 0)
      return [
        ...files
          .toSorted((a, b) => b.own + b.base - a.own - a.base)
          .map(
            ({ path, own, base: share }) =>
              `${formatSecondsColumn(own + share)} s  ${share ? `(PostgreSQL ${formatSecondsColumn(share).trim()})  ` : ''}${path}`,
          ),
        `${formatSecondsColumn(base - named)} s  PostgreSQL, not of one file`,
      ]
    },
  }
}

function readWorkerNotes(folder: string): { file: string; path: string; cpuMs: number }[] {
  try {
    return readdirSync(join(folder, 'workers')).map((file) => {
      const { path, cpuMs } = JSON.parse(readFileSync(join(folder, 'workers', file), 'utf8')) as { path: string; cpuMs: number }
      return { file, path: relative(TEST_ROOT, path), cpuMs }
    })
  } catch {
    return []
  }
}

function readTitle(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}

const formatSecondsColumn = (ms: number): string => (ms / 1000).toFixed(1).padStart(7)

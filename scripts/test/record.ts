import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TEST_ROOT } from './parts.ts'

/** Message from a part's Vitest process to the run. */
export type RunEvent =
  | { readonly kind: 'files'; readonly files: readonly string[] }
  /** A test or a hook has started. */
  | { readonly kind: 'begun'; readonly at: string }
  | { readonly kind: 'hook-ended'; readonly at: string }
  | { readonly kind: 'collected'; readonly file: string; readonly tests: number }
  | { readonly kind: 'test'; readonly at: string; readonly state: 'passed' | 'failed' | 'skipped'; readonly ms: number; readonly problems: readonly string[] }
  | { readonly kind: 'file'; readonly file: string; readonly ms: number; readonly problems: readonly string[] }
  | { readonly kind: 'said'; readonly file: string; readonly text: string }
  | { readonly kind: 'ended'; readonly problems: readonly string[] }

export interface TestCounts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export const ZERO_COUNTS: TestCounts = { passed: 0, failed: 0, skipped: 0 }

export const addCounts = (a: TestCounts, b: TestCounts): TestCounts => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
})

/** The last line of a run. */
export const formatClosingLine = ({ passed, failed, skipped }: TestCounts): string =>
  `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`

/** Record of the last whole run: number of tests and milliseconds by file. */
export interface LastRun {
  readonly files: Readonly<Record<string, { readonly tests: number; readonly ms: number }>>
}

const FILE = join(TEST_ROOT, 'node_modules/.cache/mingxi/last-run.json')

export function readLast(file = FILE): LastRun {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LastRun
  } catch {
    return { files: {} }
  }
}

/** Files that this run left out keep their previous record. */
export function writeLast(now: LastRun, file = FILE): void {
  const before = readLast(file)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ files: { ...before.files, ...now.files } }))
}

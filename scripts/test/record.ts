import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { TEST_ROOT } from './parts.ts'

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

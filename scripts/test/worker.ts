// Runs before each test file, in a process that works on one file or on many. Leaves no stub of a file to the next, and tells
// the profile of a run which file a process works on, and what it cost.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, expect, vi } from 'vitest'
import { ROOT, STANDS_IN } from './parts.ts'
import { waitedForMs } from './processes.ts'
import { RUN } from './run-folder.ts'

/** Which file of which process: names its databases, too (platform/testing/db.ts). */
const FILE = 'TEST_FILE'
const [pid, count] = (process.env[FILE] ?? '').split('n').map(Number)
const before = pid === process.pid ? (count ?? 0) : 0
process.env[FILE] = `${process.pid}n${before + 1}`

const spentMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + waitedForMs()
}
const run = process.env[RUN]
const note = run ? join(run, 'workers', process.env[FILE]) : undefined
// what a process cost before its first file is its first file's: starting it
const from = before === 0 ? 0 : spentMs()
const write = (cpuMs: number) => note && writeFileSync(note, JSON.stringify({ path: expect.getState().testPath ?? '', cpuMs }))
if (run) mkdirSync(join(run, 'workers'), { recursive: true })
write(0)

const standsIn = STANDS_IN.has(relative(ROOT, expect.getState().testPath ?? ''))
if (standsIn) vi.resetModules()

/** Browser globals that Node lacks: code tests for them to detect its environment. */
const BROWSERS = ['document', 'window', 'location', 'history']

// declared first, so it runs last: servers and browsers of the file have ended and been waited for
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  if (standsIn) vi.resetModules()
  write(spentMs() - from)
  const left = BROWSERS.filter((name) => name in globalThis)
  for (const name of left) Reflect.deleteProperty(globalThis, name)
  if (left.length > 0) throw new Error(`the file leaves ${left.join(', ')} to the next of its process: use vi.stubGlobal`)
})

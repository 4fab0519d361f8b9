// Runs before each test file, in a process that runs one file or many. Removes a file's stubs before the next, and reports to the run's
// profile the file that a process runs, and its cost.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { afterAll, expect, vi } from 'vitest'
import { TEST_ROOT, STATE_REPLACING_FILES } from './parts.ts'
import { readChildrenMs } from './processes.ts'
import { RUN_VARIABLE } from './run-folder.ts'

/** The file and process number; part of its databases' names, too (platform/testing/db.ts). */
const FILE_VARIABLE = 'TEST_FILE'
const [pid, count] = (process.env[FILE_VARIABLE] ?? '').split('n').map(Number)
const before = pid === process.pid ? (count ?? 0) : 0
process.env[FILE_VARIABLE] = `${process.pid}n${before + 1}`

const spentMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + readChildrenMs()
}
const run = process.env[RUN_VARIABLE]
const notePath = run ? join(run, 'workers', process.env[FILE_VARIABLE]) : undefined
// The cost of a process's start counts for its first file.
const from = before === 0 ? 0 : spentMs()
const write = (cpuMs: number) => notePath && writeFileSync(notePath, JSON.stringify({ path: expect.getState().testPath ?? '', cpuMs }))
if (run) mkdirSync(join(run, 'workers'), { recursive: true })
write(0)

const replacesState = STATE_REPLACING_FILES.has(relative(TEST_ROOT, expect.getState().testPath ?? ''))
if (replacesState) vi.resetModules()

/** Browser globals that Node lacks: code tests for them to detect its environment. */
const BROWSERS = ['document', 'window', 'location', 'history']

// Declared first, so it runs last: the file's servers and browsers have exited and been waited for.
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  if (replacesState) vi.resetModules()
  write(spentMs() - from)
  const left = BROWSERS.filter((name) => name in globalThis)
  for (const name of left) Reflect.deleteProperty(globalThis, name)
  if (left.length > 0) throw new Error(`the file leaves ${left.join(', ')} to the next of its process: use vi.stubGlobal`)
})

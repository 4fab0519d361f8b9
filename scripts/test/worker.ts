// Runs in each test file's process, before the file. Tells the profile of a run which file a process works on, and what it cost.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { waitedForMs } from './processes.ts'
import { RUN } from './run-folder.ts'

const run = process.env[RUN]
if (run) {
  const folder = join(run, 'workers')
  const file = join(folder, String(process.pid))
  const path = expect.getState().testPath ?? ''
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, JSON.stringify({ path, cpuMs: 0 }))
  // declared first, so it runs last: servers and browsers of the file have ended and been waited for
  afterAll(() => {
    const { user, system } = process.cpuUsage()
    writeFileSync(file, JSON.stringify({ path, cpuMs: (user + system) / 1000 + waitedForMs() }))
  })
}

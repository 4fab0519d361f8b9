import { execFileSync } from 'node:child_process'
import { getPriority } from 'node:os'
import { expect, it } from 'vitest'

const MODULE = new URL('./yield-core.ts', import.meta.url).href
const NICEST = 19
/** Prints the niceness of a process, of its thread, and of the process again. */
const SCRIPT = `
  const { Worker } = require('node:worker_threads')
  const { getPriority } = require('node:os')
  const work = "import('${MODULE}').then(({ yieldCore }) => { yieldCore(5); require('node:worker_threads').parentPort.postMessage(require('node:os').getPriority(0)) })"
  const before = getPriority(0)
  new Worker(work, { eval: true }).once('message', (thread) => console.log(JSON.stringify([before, thread, getPriority(0)])))`

it.runIf(process.platform === 'linux').each([0, 12])('a thread becomes nicer than its process, however nice that is (%i)', (nice) => {
  const said = execFileSync('nice', ['-n', String(nice), process.execPath, '-e', SCRIPT], { encoding: 'utf8' })
  // the test run itself may have a raised niceness
  const before = Math.min(NICEST, getPriority() + nice)
  expect(JSON.parse(said)).toEqual([before, Math.min(NICEST, before + 5), before])
})

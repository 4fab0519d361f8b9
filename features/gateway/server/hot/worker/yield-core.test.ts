import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

const MODULE = new URL('./yield-core.ts', import.meta.url).href
/** A process that was started nicer than others, its thread, and then the process again. */
const SCRIPT = `
  const { Worker } = require('node:worker_threads')
  const { getPriority } = require('node:os')
  const work = "import('${MODULE}').then(({ yieldCore }) => { yieldCore(5); require('node:worker_threads').parentPort.postMessage(require('node:os').getPriority(0)) })"
  const before = getPriority(0)
  new Worker(work, { eval: true }).once('message', (thread) => console.log(JSON.stringify([thread - before, getPriority(0) - before])))`

it.runIf(process.platform === 'linux').each([0, 12])('a thread becomes nicer than its process, however nice that is (%i)', (nice) => {
  const said = execFileSync('nice', ['-n', String(nice), process.execPath, '-e', SCRIPT], { encoding: 'utf8' })
  expect(JSON.parse(said)).toEqual([5, 0])
})

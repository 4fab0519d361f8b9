import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { waitForValue } from '#platform/testing/patience.ts'
import { readPidStat } from './processes.ts'
import { openRunFolder, removeStaleRuns } from './run-folder.ts'

const base = mkdtempSync(join(tmpdir(), 'mingxi-runs-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const HERE = JSON.stringify(join(import.meta.dirname, 'run-folder.ts'))
/** Starts a run in another process: it opens its folder, starts a child that ignores SIGTERM and has a child, and waits. */
const OWNER = `
  const { openRunFolder } = await import(${HERE})
  const { spawn } = await import('node:child_process')
  const run = openRunFolder(${JSON.stringify(base)})
  const deaf = 'process.on("SIGTERM", () => {}); require("node:child_process").spawn("sleep", ["1000"], { detached: true, env: {} }); setInterval(() => {}, 1000)'
  const child = spawn(process.execPath, ['-e', deaf], { env: { ...process.env, ...run.env }, detached: true, stdio: 'ignore' })
  console.log(JSON.stringify({ folder: run.folder, child: child.pid }))
  setInterval(() => {}, 1000)
`

async function anOwner(): Promise<{ owner: ChildProcess; folder: string; child: number }> {
  const owner = spawn(process.execPath, ['--input-type=module', '-e', OWNER], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  owner.stdout!.on('data', (more) => (text += more))
  const told = await waitForValue(() => (text.includes('\n') ? text : undefined), 'the run to begin')
  return { owner, ...(JSON.parse(told) as { folder: string; child: number }) }
}
const waitUntilGone = (pid: number) => waitForValue(() => (readPidStat(pid) === undefined ? true : undefined), `process ${pid} to be gone`)
const listSleepers = (child: number) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => readPidStat(pid)?.parent === child)

test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('a run that ends by %s leaves neither processes nor its folder', async (signal) => {
  const { owner, folder, child } = await anOwner()
  const [sleeper] = await waitForValue(() => (listSleepers(child).length ? listSleepers(child) : undefined), 'a grandchild')
  owner.kill(signal)
  await waitUntilGone(child)
  await waitUntilGone(sleeper!)
  await waitForValue(() => (existsSync(folder) ? undefined : true), 'its folder to go')
})

test('leftovers that even the keeper missed are removed by the next run, and a run under way is left alone', async () => {
  const { owner, folder, child } = await anOwner()
  expect(await removeStaleRuns(base)).toEqual([])
  const keeper = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => readPidStat(pid)?.parent === owner.pid && pid !== child)
  process.kill(keeper!, 'SIGKILL')
  owner.kill('SIGKILL')
  await waitUntilGone(owner.pid!)
  expect(readPidStat(child)).toBeDefined()
  expect(await removeStaleRuns(base)).toEqual([folder])
  await waitUntilGone(child)
  expect(existsSync(folder)).toBe(false)
})

test('ending a run ends its processes and keeps its folder', async () => {
  const run = openRunFolder(base)
  const child = spawn('sleep', ['1000'], { env: { ...process.env, ...run.env } })
  writeFileSync(join(run.folder, 'kept'), '')
  await run.end()
  expect(readPidStat(child.pid!)).toBeUndefined()
  expect(existsSync(join(run.folder, 'kept'))).toBe(true)
  await run.remove()
  expect(existsSync(run.folder)).toBe(false)
})

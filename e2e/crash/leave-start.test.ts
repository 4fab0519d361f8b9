import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { listClusterProcesses, findRunningPid } from '#platform/server/database/postgres-processes.ts'
import { reserveFreePort } from '#platform/testing/launch.ts'
import { waitForValue } from '#platform/testing/patience.ts'
import { resolveProgram } from '#platform/testing/programs.ts'

// Interrupts a start on the embedded database before its banner: it leaves nothing behind.

interface Started {
  readonly cluster: string
  readonly text: () => string
  readonly tell: (signal: NodeJS.Signals) => void
  /** Exit code of the process, or the signal that killed it. */
  readonly end: Promise<number | NodeJS.Signals | null>
}

async function start(): Promise<Started> {
  const folder = mkdtempSync(join(tmpdir(), 'mingxi-leave-'))
  const { DATABASE_URL: _, ...inherited } = process.env
  const child = spawn(process.execPath, [await resolveProgram('apps/server/main.ts')], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...inherited,
      NODE_ENV: 'production',
      PAGES_DIR: inject('pagesDir') ?? '',
      WARM_PAGES: 'false',
      DATA_DIR: folder,
      ROLES: 'api,sandbox',
      HOST: '127.0.0.1',
      PORT: String(await reserveFreePort()),
      SANDBOX_ISSUER_PORT: '0',
    },
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += chunk
    })
  const cluster = join(folder, 'postgres', 'cluster')
  const end = new Promise<number | NodeJS.Signals | null>((done) => child.once('exit', (code, signal) => done(signal ?? code)))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await end
    const left = findRunningPid(cluster)
    if (left) process.kill(left, 'SIGQUIT')
    await waitForValue(() => !left || listClusterProcesses(cluster).length === 0, 'the end of PostgreSQL')
    rmSync(folder, { recursive: true, force: true })
  })
  return { cluster, text: () => text, tell: (signal) => child.kill(signal), end }
}

test.each([
  ['its database has started', 'SIGINT', ({ cluster }: Started) => findRunningPid(cluster)],
  ['it listens, before its banner', 'SIGTERM', ({ text }: Started) => text().includes('"msg":"listening"')],
] as const)('asked to leave when %s: it stops what it started', async (_, signal, moment) => {
  const started = await start()
  await waitForValue(() => moment(started), 'the moment', 5)
  started.tell(signal)
  expect([await started.end, started.text()]).toEqual([0, expect.stringContaining(`${signal}: finishing open work`)])
  expect(listClusterProcesses(started.cluster)).toEqual([])
})

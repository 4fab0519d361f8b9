import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'

/** Path of the Redis program, if installed: `describe.skipIf(!REDIS)`. */
export const REDIS_PROGRAM = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0)
/** Suffix of a test's name: the counter used, or the reason for skipping. */
export const REDIS_STATUS = REDIS_PROGRAM ?? 'skipped: neither redis-server nor valkey-server is on this machine; apt-get install redis-server'

/** A real Redis without persistence, and a way to inspect it. */
export interface TestRedis {
  readonly url: string
  readonly spy: Redis
  /** Restarts it on the same port, empty. Resolves when it responds. */
  start(): Promise<void>
  /** Killed. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export async function startTestRedis(): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'mingxi-redis-'))
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const { port } = free.address() as AddressInfo
  free.close()
  const spy = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => 20, maxRetriesPerRequest: 0 })
  spy.on('error', () => {})
  let server: ChildProcess
  const start = async () => {
    server = spawn(REDIS_PROGRAM!, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder], { stdio: 'ignore' })
    await spy.connect().catch(() => {})
    while ((await spy.ping().catch(() => '')) !== 'PONG')
      await new Promise((done) => {
        setTimeout(done, 20)
      })
  }
  const kill = async () => {
    const gone = once(server, 'exit')
    server.kill('SIGKILL')
    await gone
  }
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    spy,
    start,
    kill,
    stop: async () => {
      spy.disconnect()
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '#platform/server/database/db.ts'
import type { Db } from '#platform/server/database/db.ts'
import { setTestClock } from '#platform/server/test-clock/data.ts'
import { CLOCK_POLL_MS, writeTestClock } from '#platform/server/test-clock/follow.ts'
import { scaleTimeout } from '#platform/testing/patience.ts'

/** A server as `npm start` leaves it, reached by its name on this machine, with all sources that robots and their oracle read. */
export interface RobotProduct {
  readonly siteUrl: string
  readonly consoleUrl: string
  readonly databaseUrl: string
  readonly db: Db
  /** The sandbox issuer's own book, read only. */
  readonly issuer: DatabaseSync
  /** Moves the time of all processes and of the database forward. */
  moveClock(ms: number): Promise<void>
  /** Total time by which the clock was moved. */
  movedMs(): number
  readonly demo: { readonly owner: string; readonly finance: string; readonly password: string }
  /** Output of the process since the last call. */
  takeOutput(): string
  stop(): Promise<void>
}

export interface RobotProductOptions {
  readonly databaseUrl: string
  readonly port: number
  /** Folder with built pages; the server builds them if absent. */
  readonly pagesDir?: string | undefined
  /** Program to start; a bundle starts faster. */
  readonly program?: string
  readonly env?: Readonly<Record<string, string>>
}

const STARTS_WITHIN_MS = scaleTimeout(600_000)

/** Starts the product. Only its ports, its database and its folder differ from `npm start`, so that runs can coexist. */
export async function startRobotProduct(options: RobotProductOptions): Promise<RobotProduct> {
  const folder = mkdtempSync(join(tmpdir(), 'mingxi-robots-'))
  const dataDir = join(folder, 'data')
  const clockFile = join(folder, 'clock')
  writeTestClock(clockFile, 0)
  let moved = 0
  const program = options.program ?? join(import.meta.dirname, '../../../apps/server/main.ts')
  const child = spawn(process.execPath, [program], { env: buildEnvironment(options, dataDir, clockFile), stdio: ['ignore', 'pipe', 'pipe'] })
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => void (output.text += chunk.toString()))
  const consoleUrl = await whenReady(child, output)
  const db = connect(options.databaseUrl, { max: 8, asOwner: true })
  return {
    siteUrl: `http://localhost:${options.port}`,
    consoleUrl,
    databaseUrl: options.databaseUrl,
    db,
    issuer: new DatabaseSync(join(`${dataDir}-issuer`, 'issuer.sqlite'), { readOnly: true, timeout: 10_000 }),
    demo: { owner: 'chen@mingxi.example', finance: 'lin@mingxi.example', password: 'mingxi-demo-2026' },
    moveClock: async (ms) => {
      moved += ms
      await setTestClock(db, moved)
      writeTestClock(clockFile, moved)
      await sleep(5 * CLOCK_POLL_MS)
    },
    movedMs: () => moved,
    takeOutput: () => {
      const { text } = output
      output.text = ''
      return text
    },
    stop: async () => {
      process.off('exit', kill)
      const gone = new Promise((done) => child.once('exit', done))
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await gone
      }
      await db.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const buildEnvironment = ({ databaseUrl, port, pagesDir, env }: RobotProductOptions, dataDir: string, clockFile: string): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_ENV: 'production',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(import.meta.dirname, '../../../node_modules/.cache/compiled-robots'),
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  PORT: String(port),
  LOG_LEVEL: 'info',
  WARM_PAGES: 'false',
  PROXY_PORT: '0',
  CONSOLE_PORT: '0',
  SANDBOX_ISSUER_PORT: '0',
  TEST_CLOCK: clockFile,
  ...(pagesDir ? { PAGES_DIR: pagesDir } : {}),
  ...env,
})

async function whenReady(child: ChildProcess, output: { readonly text: string }): Promise<string> {
  for (const until = Date.now() + STARTS_WITHIN_MS; ; await sleep(50)) {
    // a start prints the banner last, after the demo data exists
    const consoleUrl = /Operators (http:\S+?)\/\n/.exec(output.text)?.[1]
    if (consoleUrl && output.text.includes('Demo ')) return consoleUrl
    if (child.exitCode !== null || Date.now() > until) {
      child.kill('SIGKILL')
      throw new Error(`the product did not start:\n${output.text.slice(-4_000)}`)
    }
  }
}

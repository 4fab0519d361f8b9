import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PATIENCE_MS } from './patience.ts'

/** Where a server answers, and what it keeps. */
export interface ServerAt {
  readonly baseUrl: string
  readonly databaseUrl: string
}

/** A whole server in a process of its own, so that a test can kill it at any line and start it again. */
export interface TestServer extends ServerAt {
  /** Everything it printed so far. */
  output(): string
  pid(): number
  /** Resolves when the process is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Starts it again on the same database, folder and port. */
  restart(env?: Readonly<Record<string, string>>): Promise<void>
  /** Kills it the next time it comes to a point (platform/server/crash.ts); only with `crashes`. */
  crashAt(point: string): void
  stop(): Promise<void>
}

export interface LaunchOptions {
  readonly databaseUrl: string
  /** Built pages; without any the server builds them. */
  readonly pagesDir: string
  readonly roles?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  /** It can be told to crash while it runs: a point costs one start, the one after the crash. */
  readonly crashes?: boolean | undefined
}

/** What a server that ended by itself said last, in characters. */
const LAST_WORDS = 3_000

export async function launchServer(options: LaunchOptions): Promise<TestServer> {
  const { databaseUrl } = options
  const folder = mkdtempSync(join(tmpdir(), 'mingxi-server-'))
  const crashFile = join(folder, 'crash-at')
  let child: ChildProcess
  /** Told to end by the test. */
  let told: ChildProcess | undefined
  let text = ''
  let port = 0
  const launch = async (env: Readonly<Record<string, string>> = {}) => {
    const mark = text.length
    child = spawn(process.execPath, [join(import.meta.dirname, '../../apps/server/main.ts')], {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        // compiled once for all servers of all runs: a start costs a third
        NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/compiled-tests'),
        LOG_LEVEL: 'info',
        // a page is drawn when somebody asks for it, not each of them at each start
        WARM_PAGES: 'false',
        DATABASE_URL: databaseUrl,
        PAGES_DIR: options.pagesDir,
        DATA_DIR: folder,
        PORT: String(port),
        CONSOLE_PORT: '0',
        HOST: '127.0.0.1',
        ROLES: options.roles ?? '',
        ...(options.crashes ? { CRASH_AT: `@${crashFile}` } : {}),
        ...options.env,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const gone = new Promise<void>((done) => child.once('exit', () => done()))
    const started = child
    // a crash point is the test's own doing
    started.once('exit', (code, signal) => {
      if (told !== started && !options.crashes && !env['CRASH_AT'] && !options.env?.['CRASH_AT'])
        console.error(`the server of a test ended by itself (${signal ?? code}):\n${text.slice(-LAST_WORDS)}`)
    })
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk) => {
        text += chunk
      })
    for (let waited = 0; ; waited += 20) {
      const match = /"port":(\d+),"msg":"listening"/.exec(text.slice(mark))
      if (match) {
        port = Number(match[1])
        return
      }
      if (child.exitCode !== null || child.signalCode) throw new Error(`the server did not start:\n${text.slice(mark)}`)
      if (waited > 3 * PATIENCE_MS) {
        child.kill('SIGKILL')
        await gone
        throw new Error(`the server took too long:\n${text.slice(mark)}`)
      }
      await new Promise((done) => setTimeout(done, 20))
    }
  }
  await launch()
  const kill = async (signal: NodeJS.Signals = 'SIGKILL') => {
    if (child.exitCode !== null || child.signalCode) return
    const gone = new Promise<void>((done) => child.once('exit', () => done()))
    told = child
    child.kill(signal)
    await gone
  }
  return {
    get baseUrl() {
      return `http://127.0.0.1:${port}`
    },
    databaseUrl,
    output: () => text,
    pid: () => child.pid ?? 0,
    kill,
    restart: async (env) => {
      await kill()
      await launch(env)
    },
    crashAt: (point) => {
      if (!options.crashes) throw new Error('this server was not started with `crashes`')
      // whole at once: it may be read at this moment
      writeFileSync(`${crashFile}-new`, point)
      renameSync(`${crashFile}-new`, crashFile)
    },
    stop: async () => {
      await kill('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { PATIENCE_MS } from './patience.ts'
import { programOf } from './programs.ts'

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
  /** Stops it with SIGSTOP, or blocks its event loop, the next time it comes to a point; only with `crashes`. */
  pauseAt(point: string, how: 'stop' | 'block'): void
  isPaused(): boolean
  /** Lets it go on, wherever it was stopped. */
  resume(): void
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

interface State {
  readonly options: LaunchOptions
  readonly folder: string
  readonly crashFile: string
  child: ChildProcess | undefined
  /** Told to end by the test. */
  told: ChildProcess | undefined
  text: string
  port: number
}

export async function launchServer(options: LaunchOptions): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'mingxi-server-'))
  const s: State = { options, folder, crashFile: join(folder, 'crash-at'), child: undefined, told: undefined, text: '', port: await freePort() }
  await launch(s)
  return {
    get baseUrl() {
      return `http://127.0.0.1:${s.port}`
    },
    databaseUrl: options.databaseUrl,
    output: () => s.text,
    pid: () => s.child?.pid ?? 0,
    kill: (signal) => kill(s, signal),
    restart: async (env) => {
      await kill(s)
      await launch(s, env)
    },
    crashAt: (point) => atPoint(s, point),
    pauseAt: (point, how) => atPoint(s, `${how}:${point}`),
    isPaused: () => existsSync(`${s.crashFile}-held`),
    resume: () => {
      for (const path of [s.crashFile, `${s.crashFile}-held`]) rmSync(path, { force: true })
      s.child?.kill('SIGCONT')
    },
    stop: async () => {
      await kill(s, 'SIGTERM')
      for (const gone of [folder, `${folder}-issuer`]) rmSync(gone, { recursive: true, force: true })
    },
  }
}

function atPoint({ options, crashFile }: State, spec: string): void {
  if (!options.crashes) throw new Error('this server was not started with `crashes`')
  // whole at once: it may be read at this moment
  writeFileSync(`${crashFile}-new`, spec)
  renameSync(`${crashFile}-new`, crashFile)
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null
const endOf = (child: ChildProcess): Promise<void> => new Promise((done) => child.once('exit', () => done()))

async function launch(s: State, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const { options } = s
  const mark = s.text.length
  const child = spawn(process.execPath, [await programOf('apps/server/main.ts')], { env: envOf(s, env), stdio: ['ignore', 'pipe', 'pipe'] })
  s.child = child
  // a crash point is the test's own doing
  child.once('exit', (code, signal) => {
    if (s.told !== child && !options.crashes && !env['CRASH_AT'] && !options.env?.['CRASH_AT'])
      console.error(`the server of a test ended by itself (${signal ?? code}):\n${s.text.slice(-LAST_WORDS)}`)
  })
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      s.text += chunk
    })
  await listening(s, child, mark)
}

const envOf = ({ options, folder, crashFile, port }: State, env: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_ENV: 'production',
  // compiled once for all servers: a start costs a third. A run has a place of its own.
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(import.meta.dirname, '../../node_modules/.cache/compiled-tests'),
  // all that a start makes stays: a tenth of it was spent on collecting it
  NODE_OPTIONS: '--max-semi-space-size=32',
  LOG_LEVEL: 'info',
  // a page is drawn when somebody asks for it, not each of them at each start
  WARM_PAGES: 'false',
  // nor are demo customers made who have calls of a month: as dear as the start itself
  DEMO: 'false',
  DATABASE_URL: options.databaseUrl,
  PAGES_DIR: options.pagesDir,
  DATA_DIR: folder,
  PORT: String(port),
  // any: the one after a port that was free may be taken
  SANDBOX_ISSUER_PORT: '0',
  // a slow machine is no reason to decline
  // the setting has a most; on a machine this slow the wait is that
  SANDBOX_DECIDE_MS: String(Math.min(PATIENCE_MS, 600_000)),
  GATEWAY_REFUSE_MS: '60000',
  CONSOLE_PORT: '0',
  PROXY_PORT: '0',
  HOST: '127.0.0.1',
  ROLES: options.roles ?? '',
  ...(options.crashes ? { CRASH_AT: `@${crashFile}` } : {}),
  ...options.env,
  ...env,
})

async function listening(s: State, child: ChildProcess, mark: number): Promise<void> {
  const gone = endOf(child)
  for (let waited = 0; ; waited += 20) {
    const match = /"port":(\d+),"msg":"listening"/.exec(s.text.slice(mark))
    if (match) {
      s.port = Number(match[1])
      return
    }
    if (hasEnded(child)) throw new Error(`the server did not start:\n${s.text.slice(mark)}`)
    if (waited > 3 * PATIENCE_MS) {
      child.kill('SIGKILL')
      await gone
      throw new Error(`the server took too long:\n${s.text.slice(mark)}`)
    }
    await new Promise((done) => setTimeout(done, 20))
  }
}

async function kill(s: State, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  const { child } = s
  if (child === undefined || hasEnded(child)) return
  const gone = endOf(child)
  s.told = child
  child.kill(signal)
  await gone
}

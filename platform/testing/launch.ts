import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PATIENCE_MS } from './patience.ts'
import { resolveProgram } from './programs.ts'
import { createServer } from 'node:net'

/** Below the ephemeral port ranges (Linux from 32768, others from 49152). */
const [FIRST, PORTS] = [20_000, 12_000]
const MAX_ATTEMPTS = 100

/**
 * Reserves a port for a process that must know its address before it starts, or return to it after a kill. It lies below the ephemeral range, so no
 * outgoing connection takes it, and a folder named after it among the run's temporary files keeps other tests off.
 */
export async function reserveFreePort(): Promise<number> {
  for (let n = 0; n < MAX_ATTEMPTS; n++) {
    const port = FIRST + Math.floor(Math.random() * PORTS)
    if (tryReserve(port) && (await canListen(port))) return port
  }
  throw new Error(`no free port between ${FIRST} and ${FIRST + PORTS} in ${MAX_ATTEMPTS} tries`)
}

const reservedFolders: string[] = []

function tryReserve(port: number): boolean {
  const folder = join(tmpdir(), `mingxi-port-${port}`)
  try {
    mkdirSync(folder)
  } catch {
    return false
  }
  // The run removes them at its end; a file that runs without one removes its own.
  if (reservedFolders.length === 0) process.once('exit', () => reservedFolders.forEach((one) => rmSync(one, { recursive: true, force: true })))
  reservedFolders.push(folder)
  return true
}

const canListen = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const probe = createServer().once('error', () => done(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => done(true)))
  })

/** A server's address and its database. */
export interface ServerAddress {
  readonly baseUrl: string
  readonly databaseUrl: string
}

/** A whole server in its own process, so that a test can kill it at any line and start it again. */
export interface TestServer extends ServerAddress {
  /** Everything the process has printed so far. */
  output(): string
  pid(): number
  /** Resolves when the process has exited. */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Restarts it on the same database, folder and port. */
  restart(env?: Readonly<Record<string, string>>): Promise<void>
  /** Kills it the next time it reaches a crash point (platform/server/crash.ts); only with `crashes`. */
  crashAt(point: string): void
  /** Stops it with SIGSTOP, or blocks its event loop, the next time it reaches a crash point; only with `crashes`. */
  pauseAt(point: string, how: 'stop' | 'block'): void
  isPaused(): boolean
  /** Resumes a paused server. */
  resume(): void
  stop(): Promise<void>
}

export interface LaunchOptions {
  readonly databaseUrl: string
  /** Built pages; without any the server builds them. */
  readonly pagesDir: string
  readonly roles?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Allows crash points to be set while it runs; each costs one start, the one after the crash. */
  readonly crashes?: boolean | undefined
}

/** Characters of output that are printed when a server exits by itself. */
const LAST_OUTPUT_CHARS = 3_000

interface State {
  readonly options: LaunchOptions
  readonly folder: string
  readonly crashFile: string
  child: ChildProcess | undefined
  /** The process that the test itself is stopping. */
  told: ChildProcess | undefined
  text: string
  port: number
}

export async function launchServer(options: LaunchOptions): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'mingxi-server-'))
  const s: State = { options, folder, crashFile: join(folder, 'crash-at'), child: undefined, told: undefined, text: '', port: await reserveFreePort() }
  await launch(s)
  return {
    get baseUrl() {
      return `http://127.0.0.1:${s.port}`
    },
    databaseUrl: options.databaseUrl,
    output: () => s.text,
    pid: () => s.child?.pid ?? 0,
    kill: (signal) => killServer(s, signal),
    restart: async (env) => {
      await killServer(s)
      await launch(s, env)
    },
    crashAt: (point) => armCrash(s, point),
    pauseAt: (point, how) => armCrash(s, `${how}:${point}`),
    isPaused: () => existsSync(`${s.crashFile}-held`),
    resume: () => {
      for (const path of [s.crashFile, `${s.crashFile}-held`]) rmSync(path, { force: true })
      s.child?.kill('SIGCONT')
    },
    stop: async () => {
      await killServer(s, 'SIGTERM')
      for (const gone of [folder, `${folder}-issuer`]) rmSync(gone, { recursive: true, force: true })
    },
  }
}

function armCrash({ options, crashFile }: State, spec: string): void {
  if (!options.crashes) throw new Error('this server was not started with `crashes`')
  // Written atomically: the server may be reading the file.
  writeFileSync(`${crashFile}-new`, spec)
  renameSync(`${crashFile}-new`, crashFile)
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null
const waitForExit = (child: ChildProcess): Promise<void> => new Promise((done) => child.once('exit', () => done()))

async function launch(s: State, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const { options } = s
  const mark = s.text.length
  const child = spawn(process.execPath, [await resolveProgram('apps/server/main.ts')], { env: buildEnv(s, env), stdio: ['ignore', 'pipe', 'pipe'] })
  s.child = child
  // Crash points are caused by the test itself.
  child.once('exit', (code, signal) => {
    if (s.told !== child && !options.crashes && !env['CRASH_AT'] && !options.env?.['CRASH_AT'])
      console.error(`the server of a test ended by itself (${signal ?? code}):\n${s.text.slice(-LAST_OUTPUT_CHARS)}`)
  })
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      s.text += chunk
    })
  await waitForListening(s, child, mark)
}

const buildEnv = ({ options, folder, crashFile, port }: State, env: Readonly<Record<string, string>>): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_ENV: 'production',
  // A shared compile cache cuts the start to a third; a run has its own.
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(import.meta.dirname, '../../node_modules/.cache/compiled-tests'),
  // Objects of a start are long-lived: garbage collection took a tenth of its time.
  NODE_OPTIONS: '--max-semi-space-size=32',
  LOG_LEVEL: 'info',
  // Render pages on demand only.
  WARM_PAGES: 'false',
  // Seeding demo customers with a month of calls takes as long as the start itself.
  DEMO: 'false',
  DATABASE_URL: options.databaseUrl,
  PAGES_DIR: options.pagesDir,
  DATA_DIR: folder,
  PORT: String(port),
  // Any free port: the one after PORT may be taken.
  SANDBOX_ISSUER_PORT: '0',
  // Long enough that a slow machine causes no decline, but at most the setting's maximum.
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

async function waitForListening(s: State, child: ChildProcess, mark: number): Promise<void> {
  const gone = waitForExit(child)
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

async function killServer(s: State, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  const { child } = s
  if (child === undefined || hasEnded(child)) return
  const gone = waitForExit(child)
  s.told = child
  child.kill(signal)
  await gone
}

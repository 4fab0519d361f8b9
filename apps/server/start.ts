import type { FastifyInstance } from 'fastify'
import { mkdirSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import type { PlatformConfig } from '#platform/server/config.ts'
import { systemClock } from '#platform/server/clock.ts'
import { armCrashPoint } from '#platform/server/crash.ts'
import { connect, waitForDatabase } from '#platform/server/database/db.ts'
import { collectCommands, collectCounters, collectPersonalData, type Deps } from '#platform/server/feature.ts'
import { createHttp, type Pages } from '#platform/server/http/http.ts'
import { loadInstallationKeys } from '#platform/server/sealing/installation-key.ts'
import { createJobs } from '#platform/server/jobs.ts'
import { createLog, type Log } from '#platform/server/log.ts'
import { migrate, listPendingMigrations } from '#platform/server/database/migrate.ts'
import { hasTestClock, installTestClock } from '#platform/server/test-clock/data.ts'
import { startPostgres, type Postgres } from '#platform/server/database/postgres.ts'
import { createOrigins } from '#platform/server/http/origins.ts'
import { createSettings } from '#platform/server/settings.ts'
import { createTextFormatter } from '#platform/server/text-formatter.ts'
import { commonTexts } from '#platform/shared/common-texts.ts'
import { printBanner } from './banner.ts'
import { features } from './features.ts'
import { mountHealth } from './health.ts'
import type { BuiltPages } from './pages/pages.ts'
import { resolveRoles } from './roles.ts'
import type { GatewayFront } from './roles/gateway.ts'
import { startWatch } from './watch/start-watch.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { announceClose } from '#platform/server/lane/lane.ts'

interface DrainLimits {
  /** Time in which requests are still accepted after readiness is off, so that the load balancer notices first. */
  readonly noticeMs: number
  /** Time for open requests to end before they are aborted. */
  readonly openMs: number
}

const IDLE_POLL_MS = 200
/** Time to settle calls whose client connections were cut. */
const SETTLE_CUT_MS = 2000

/**
 * Drains a server without a failed request: first every response says `connection: close` while new requests are still served, then the listener
 * closes, and open requests end by themselves or are cut after `openMs`.
 */
async function drain(app: FastifyInstance, front: Pick<GatewayFront, 'leave' | 'drain'> | undefined, { noticeMs, openMs }: DrainLimits): Promise<void> {
  const { server } = app
  announceClose(server)
  if (noticeMs > 0) await sleep(noticeMs)
  const until = Date.now() + openMs
  front?.leave()
  const closed = app.close()
  // A response that began before the drain carried no `connection: close`, so its connection stays open and must be closed here once idle.
  const look = setInterval(() => server.closeIdleConnections(), IDLE_POLL_MS)
  const waiting = new AbortController()
  await Promise.race([closed, sleep(openMs, undefined, { signal: waiting.signal }).catch(() => {})])
  waiting.abort()
  clearInterval(look)
  server.closeAllConnections()
  await front?.drain(Math.max(SETTLE_CUT_MS, until - Date.now()))
  await Promise.race([closed, sleep(SETTLE_CUT_MS, undefined, { ref: false })])
}

export interface RunningServer {
  readonly port: number
  readonly databaseUrl: string
  stop(): Promise<void>
}

/**
 * Starts the chosen roles on one port. Listens only once the database is migrated and everything has started; until then `leaving` aborts
 * the start: PostgreSQL is stopped and the promise rejects. Afterwards the caller stops the server.
 */
export async function startServer(config: PlatformConfig, leaving: AbortSignal): Promise<RunningServer> {
  const startedAt = Date.now()
  const roles: ReadonlySet<string> = resolveRoles(config)
  const dataDir = resolve(config.DATA_DIR)
  mkdirSync(dataDir, { recursive: true })
  armCrashPoint(config.CRASH_AT)
  const log = createLog(config.LOG_LEVEL)
  const pages = roles.has('api')
    ? import('./pages/pages.ts').then((module) => (config.PAGES_DIR ? module.locateBuiltPages(resolve(config.PAGES_DIR)) : module.buildPages(dataDir)))
    : undefined
  const consolePages = roles.has('console')
    ? import('./pages/pages.ts').then((module) =>
        config.PAGES_DIR ? module.locateBuiltPages(resolve(config.PAGES_DIR)).console : module.buildConsole(dataDir),
      )
    : undefined
  consolePages?.catch(() => {})
  pages?.catch(() => {}) // Awaited below; must not be unhandled while the database starts.
  reportStartProgress('Starting PostgreSQL ...', '启动 PostgreSQL')
  const postgres = config.DATABASE_URL ? undefined : await startPostgres(dataDir)
  try {
    const listen = await unlessAborted(
      prepare(config, config.DATABASE_URL ?? postgres!.url, { startedAt, roles, dataDir, log, pages, consolePages, postgres }),
      leaving,
    )
    return await listen()
  } catch (error) {
    await postgres?.stop()
    throw error
  }
}

/** Resolves like `work`, but rejects as soon as `signal` aborts; `work` continues and its result is dropped. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => {})
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  signal.throwIfAborted()
  return await Promise.race([work, aborted])
}

interface StartContext {
  readonly startedAt: number
  readonly roles: ReadonlySet<string>
  readonly dataDir: string
  readonly log: Log
  readonly pages: Promise<BuiltPages> | undefined
  readonly consolePages: Promise<string> | undefined
  readonly postgres: Postgres | undefined
}

/** Does all the work of a start before listening; resolves to a function that does the rest. */
async function prepare(config: PlatformConfig, databaseUrl: string, ground: StartContext): Promise<() => Promise<RunningServer>> {
  const { startedAt, roles, dataDir, log, pages, consolePages, postgres } = ground
  reportStartProgress('Bringing the database up to date ...', '更新数据库')
  await migrateOrCheck(config, databaseUrl, log)
  await prepareTestClock(config, databaseUrl)

  const db = connect(databaseUrl, { log, max: config.DATABASE_POOL })
  // Settings are read inside transactions too: a separate connection avoids a deadlock of a full pool.
  const settingsDb = connect(databaseUrl, { log, max: 1, name: 'mingxi-settings' })
  const jobs = createJobs(databaseUrl, log, {
    keeps: roles.has('worker'),
    migrates: config.MIGRATE === 'run',
    ...(config.TEST_CLOCK === undefined ? {} : { cronSeconds: 1 }),
  })
  let port = config.PORT
  const origins = createOrigins(config, () => port)
  const publicUrl = (): string => config.PUBLIC_URL?.replace(/\/$/, '') ?? `http://127.0.0.1:${port}`
  const deps = buildDeps(config, { db, log, jobs, settings: createSettings(settingsDb), publicUrl, siteUrl: origins.stored }, dataDir)
  const stops = await startFeatures(deps, roles)
  const specs = await import('./roles/worker.ts').then((module) => module.collectJobSpecs(features))
  await jobs.start(specs, deps, roles.has('worker'))

  let front: GatewayFront | undefined
  if (roles.has('gateway') || roles.has('sandbox')) front = await import('./roles/gateway.ts').then((module) => module.createGatewayFront(deps, roles))
  const documents: Pages = {}
  const app = createHttp({
    pages: documents,
    deps,
    features,
    roles,
    origins,
    speak: createTextFormatter([commonTexts, ...features.flatMap((feature) => feature.texts ?? [])]),
    ...(front ? { front } : {}),
  })
  const probe = startWatch(config, databaseUrl, { roles, log })
  const readiness = mountHealth(app, deps, { written: probe.last, isRefusing: () => front?.isRefusing() ?? false })
  reportStartProgress('Building the pages, up to a minute after a change ...', '生成页面，有改动时约需 1 分钟')
  const drawn = pages ? await (await import('./pages/serve-pages.ts')).mountPages(app, await pages, { deps, features, pages: documents, origins }) : undefined
  if (roles.has('api')) (await import('./pages/serve-extension.ts')).mountExtension(app, deps, origins)
  if (roles.has('sandbox')) await (await import('./roles/sandbox.ts')).mountSandbox(app, deps, features)
  const consoleApp = roles.has('console') ? await (await import('./roles/console.ts')).listenConsole(deps, features, await consolePages) : undefined
  await takeOverPort()

  const stop = async () => {
    readiness.leave()
    await consoleApp?.close()
    await drain(app, front, { noticeMs: config.DRAIN_NOTICE_MS, openMs: config.DRAIN_MS })
    await front?.stop()
    await jobs.stop()
    for (const stop of stops) await stop()
    await probe.stop()
    await Promise.all([db.close(), settingsDb.close()])
    await postgres?.stop()
  }
  return async () => {
    await app.listen({ port: config.PORT, host: config.HOST, ...(config.REUSE_PORT ? { reusePort: true } : {}) })
    port = (app.server.address() as AddressInfo).port
    log.info({ port }, 'listening')
    if (config.WARM_PAGES) drawn?.warm()
    const demo = roles.has('api') && config.STAGE === 'development' && config.DEMO ? await (await import('./seeds/demo.ts')).seedDemo(deps) : undefined
    const at = { siteUrl: origins.stored(), consoleUrl: resolveConsoleUrl(consoleApp, deps) }
    printBanner({ ...at, config, roles, demo, ms: Date.now() - startedAt, databaseUrl })
    return { port, databaseUrl, stop }
  }
}

function buildDeps(config: PlatformConfig, made: Pick<Deps, 'db' | 'log' | 'jobs' | 'settings' | 'publicUrl' | 'siteUrl'>, dataDir: string): Deps {
  const secretKeys = loadInstallationKeys(config, dataDir)
  return {
    ...made,
    config: config as Deps['config'],
    clock: systemClock,
    secretKey: secretKeys[0],
    secretKeys,
    personal: collectPersonalData(features),
    counted: collectCounters(features),
    commands: collectCommands(features),
  }
}

const WAIT_FOR_DATABASE_MS = 30_000

/** Migrates a database with its owner's rights and exits: processes with MIGRATE=check start after it. */
export async function migrateOnly(config: PlatformConfig): Promise<void> {
  if (!config.DATABASE_URL) throw new Error('--migrate needs DATABASE_URL')
  const log = createLog(config.LOG_LEVEL)
  await migrateOrCheck({ ...config, MIGRATE: 'run' }, config.DATABASE_URL, log)
  const { collectJobSpecs } = await import('./roles/worker.ts')
  await createJobs(config.DATABASE_URL, log, { keeps: false }).install(collectJobSpecs(features))
}

/** One process at a time migrates, and the others wait for it; with MIGRATE=check another process must have migrated. */
async function migrateOrCheck(config: PlatformConfig, databaseUrl: string, log: Log): Promise<void> {
  await waitForDatabase(databaseUrl, WAIT_FOR_DATABASE_MS, log)
  const folder = join(import.meta.dirname, 'migrations')
  if (config.MIGRATE === 'check') {
    const missing = await listPendingMigrations(databaseUrl, folder)
    if (missing.length) throw new Error(`the database lacks ${missing.join(', ')}: start a process with MIGRATE=run first`)
    return
  }
  const applied = await migrate(databaseUrl, folder)
  if (applied.length) log.info({ applied }, 'database migrated')
}

/** Makes the database's clock movable if a test requests it; production refuses a database with a movable clock. */
async function prepareTestClock({ STAGE, TEST_CLOCK }: PlatformConfig, databaseUrl: string): Promise<void> {
  if (STAGE !== 'production') return TEST_CLOCK === undefined ? undefined : installTestClock(databaseUrl)
  const db = connect(databaseUrl, { max: 1 })
  const isMovable = await hasTestClock(db).finally(() => db.close())
  if (TEST_CLOCK !== undefined || isMovable) throw new Error('STAGE=production refuses a clock that tests move: TEST_CLOCK, or the schema test_clock')
}

/** URL of the operators' app, if this process serves it. */
function resolveConsoleUrl(app: FastifyInstance | undefined, { config }: Deps): string | undefined {
  if (!app) return undefined
  const { CONSOLE_URL } = config
  return typeof CONSOLE_URL === 'string' ? CONSOLE_URL : `http://localhost:${(app.server.address() as AddressInfo).port}`
}

/** Starts the features' background work; returns their stop functions, last started first. */
async function startFeatures(deps: Deps, roles: ReadonlySet<string>): Promise<(() => Promise<void>)[]> {
  const stops: (() => Promise<void>)[] = []
  for (const feature of features) {
    const stop = await feature.start?.(deps, roles)
    if (stop) stops.unshift(stop)
  }
  return stops
}

/** Reports the start's progress to the parent process, if it listens; scripts/waiting.mjs prints and shows it. */
function reportStartProgress(en: string, zh: string): void {
  if (process.connected) process.send?.({ doing: { en, zh } })
}

/** Takes over the port from the placeholder page (scripts/waiting.mjs); resolves when it is free, at once if there is no placeholder. */
async function takeOverPort(): Promise<void> {
  if (!process.connected) return
  const given = new Promise<void>((done) => {
    process.once('message', () => done()).once('disconnect', () => done())
  })
  process.send?.({ wantsPort: true })
  await given
  if (process.connected) process.disconnect?.()
}

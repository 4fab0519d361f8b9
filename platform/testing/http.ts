import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { platformConfig, readConfig, type ConfigShape } from '#platform/server/config.ts'
import type { Clock } from '#platform/server/clock.ts'
import type { Db } from '#platform/server/database/db.ts'
import { collectCommands, collectCounters, collectPersonalData, type Deps, type Feature } from '#platform/server/feature.ts'
import { createHttp } from '#platform/server/http/http.ts'
import type { Jobs } from '#platform/server/jobs.ts'
import { createLog } from '#platform/server/log.ts'
import type { Origins } from '#platform/server/http/origins.ts'
import { buildOutboxJobs } from '#platform/server/database/outbox.ts'
import { heldPool } from '#platform/server/database/transact.ts'
import { createTextFormatter } from '#platform/server/text-formatter.ts'
import { createTestSettings } from './watching/settings-written.ts'
import type { Envelope } from '#platform/shared/contract.ts'
import { commonTexts } from '#platform/shared/common-texts.ts'
import type { Lang } from '#platform/shared/languages.ts'
import type { SupplierTools } from '#platform/server/suppliers/tools.ts'

/** Tools of an adapter under test: the real network, the machine's clock, a silent log and an empty database. */
export const aSupplierTools = (): SupplierTools => ({
  fetch: (input, init) => globalThis.fetch(input, init),
  now: () => new Date(),
  log: createLog('silent'),
  publicUrl: () => 'https://shop.example',
  query: async () => [],
})

export interface TestClock extends Clock {
  advance(ms: number): void
}

/**
 * A clock that changes only when the test moves it; it starts at the real time, so that rows created by the database's clock are
 * consistent.
 */
export function createTestClock(start: Date = new Date()): TestClock {
  let at = start.getTime()
  return {
    now: () => new Date(at),
    advance: (ms) => {
      at += ms
    },
  }
}

/** A clock that runs in step with the database's and can be set ahead: for tests that compare both, however long they take. */
export function createRunningClock(): TestClock {
  let ahead = 0
  return {
    now: () => new Date(Date.now() + ahead),
    advance: (ms) => {
      ahead += ms
    },
  }
}

export interface TestCallOptions {
  readonly token?: string
  readonly lang?: Lang
  readonly ip?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly idempotencyKey?: string
}
/** Result of a call: HTTP status, the envelope, and the whole response for further checks. */
export interface TestReply extends Envelope<any> {
  readonly status: number
  readonly raw: LightMyRequestResponse
}
export type TestCall = (method: 'GET' | 'POST', path: string, input?: object, options?: TestCallOptions) => Promise<TestReply>

export interface TestApp {
  readonly app: FastifyInstance
  readonly inject: FastifyInstance['inject']
  readonly deps: Deps
  /** Calls anonymously, or with `options.token`. GET input is sent as the query; `ip` as X-Forwarded-For from loopback. */
  readonly call: TestCall
  readonly callAs: (token: string) => TestCall
  /**
   * Delivers committed events and runs committed jobs until none is left. A job that throws is tried `tries` times, then the last error is thrown.
   */
  readonly settle: (tries?: number) => Promise<void>
  /** Names of queued jobs. */
  readonly waiting: () => readonly string[]
}

interface TestAppOptions {
  readonly features: readonly Feature[]
  /** Settings use a separate connection if there is one (`useTestDb`). */
  readonly db: Db & { readonly settingsDb?: Db }
  readonly clock?: Clock
  readonly env?: Readonly<Record<string, string>>
  readonly overrides?: Partial<Deps>
  /** Resolves the address that a request was sent to; not used when absent. */
  readonly origins?: Origins
  /** Roles whose routes exist; defaults to api and sandbox. */
  readonly roles?: readonly string[]
  /** `operators`: the operators' origin, where `token` is an operator's. */
  readonly surface?: 'customers' | 'operators'
}

const SECRET_KEY = Buffer.alloc(32, 'test key of tests')

/** The platform API over some features and a real database, without sockets; jobs run only in `settle`. */
export function createTestApp({ features, db, clock, env = {}, overrides, origins, surface = 'customers', roles }: TestAppOptions): TestApp {
  const shape: ConfigShape = Object.assign({}, platformConfig, ...features.map((feature) => feature.config ?? {}))
  const handlers = features.flatMap((feature) => feature.events ?? [])
  const [relay, ...subscribers] = buildOutboxJobs(handlers)
  const specs = new Map([...features.flatMap((feature) => feature.jobs ?? []), ...subscribers].map((spec) => [spec.name, spec]))
  const queue: { name: string; data: Record<string, unknown> }[] = []
  const jobs: Jobs = {
    send: async (tx, job, data) =>
      tx.afterCommit(() => {
        queue.push({ name: typeof job === 'string' ? job : job.name, data: JSON.parse(JSON.stringify(data)) as Record<string, unknown> })
      }),
  }
  const deps: Deps = {
    db,
    jobs,
    config: readConfig(shape, { LOG_LEVEL: 'silent', ...env }) as Deps['config'],
    settings: createTestSettings(db.settingsDb ?? db),
    log: createLog(env['LOG_LEVEL'] ?? 'silent'),
    clock: clock ?? { now: () => new Date() },
    publicUrl: () => 'http://localhost:3000',
    siteUrl: overrides?.publicUrl ?? (() => 'http://localhost:3000'),
    secretKey: SECRET_KEY,
    personal: collectPersonalData(features),
    counted: collectCounters(features),
    commands: collectCommands(features),
    ...overrides,
    secretKeys: overrides?.secretKeys ?? [overrides?.secretKey ?? SECRET_KEY],
  }
  const speak = createTextFormatter([commonTexts, ...features.flatMap((feature) => feature.texts ?? [])])
  const app = createHttp({
    deps,
    features,
    speak,
    surface,
    roles: new Set(roles ?? (surface === 'operators' ? ['console'] : ['api', 'sandbox'])),
    ...(origins ? { origins } : {}),
  })

  const call: TestCall = async (method, path, input = {}, { token, lang, ip, headers, idempotencyKey } = {}) => {
    const asked = {
      method,
      url: path,
      headers: {
        ...(token ? { [surface === 'operators' ? 'operatortoken' : 'accesstoken']: token } : {}),
        ...(lang ? { language: lang } : {}),
        ...(ip ? { 'x-forwarded-for': ip } : {}),
        ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}),
        ...headers,
      },
      ...(method === 'POST' ? { payload: input } : { query: Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)])) }),
    }
    // Outside the test's own transaction, like a real request.
    const raw = await heldPool.exit(async () => app.inject(asked))
    const isFile = raw.headers['content-disposition'] !== undefined
    return { ...(isFile ? { code: 200, msg: '', data: raw.rawPayload } : raw.json<Envelope<any>>()), status: raw.statusCode, raw }
  }

  const settle = async (tries = 3) => {
    for (;;) {
      await relay!.handle(deps, {})
      const batch = queue.splice(0)
      if (!batch.length) return
      for (const { name, data } of batch) {
        const spec = specs.get(name)
        if (!spec) throw new Error(`no feature of this test has the job ${name}`)
        await retryWork(tries, () => spec.handle(deps, data))
      }
    }
  }

  return {
    app,
    inject: app.inject.bind(app) as FastifyInstance['inject'],
    deps,
    call,
    callAs: (token) => (method, path, input, options) => call(method, path, input, { token, ...options }),
    settle,
    waiting: () => queue.map((job) => job.name),
  }
}

async function retryWork(times: number, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt >= times) throw error
    }
  }
}

import { PgBoss } from 'pg-boss'
import type { Deps, JobSpec } from './feature.ts'
import type { Jobs, NamedJob } from './job-sending.ts'
import type { Log } from './log.ts'
import { chooseSessionSeconds } from './database/sessions.ts'
import { createRepeater } from './repeat.ts'

export type { JobSpec } from './feature.ts'
export type { Jobs, SendOptions } from './job-sending.ts'

/** Milliseconds between two polls for due jobs, over all queues at once. */
const QUEUE_POLL_MS = 250
/** Polling interval of a worker that receives no notification of due jobs. */
const BACKSTOP_SECONDS = 60

/** Retries for about two hours. */
const RETRY = { times: 20, firstSeconds: 1, longestSeconds: 600 }

export interface JobRunner extends Jobs {
  /** Creates the queue's tables and the queues, with the rights of the database's owner. */
  install(specs: readonly JobSpec[]): Promise<void>
  start(specs: readonly JobSpec[], deps: Deps, work: boolean): Promise<void>
  stop(): Promise<void>
}

export interface JobOptions {
  /** This process maintains the queue for all processes: cleans up and starts scheduled jobs. */
  readonly keeps?: boolean
  /** False if another process has created the queue's tables. */
  readonly migrates?: boolean
  /** Seconds between two checks of the cron schedules. */
  readonly cronSeconds?: number
}

/** Schedules missed during downtime run once, however many were missed. */
const CATCH_UP_ONCE = { missed: 'once' } as const

/** pg-boss in the same database; its schema is created on first start. */
export function createJobs(databaseUrl: string, log: Log, { keeps = true, migrates = true, cronSeconds = 30 }: JobOptions = {}): JobRunner {
  // pg-boss passes its options on to its pool, and the pool closes a session after any error by itself.
  const pool = { maxLifetimeSeconds: chooseSessionSeconds() }
  const boss = new PgBoss({
    ...pool,
    connectionString: databaseUrl,
    schema: 'jobs',
    max: 3,
    application_name: 'mingxi-jobs',
    cronMonitorIntervalSeconds: cronSeconds,
    ...(keeps ? {} : { supervise: false, schedule: false }),
    ...(migrates ? {} : { migrate: false }),
  })
  boss.on('error', (error) => log.error({ err: error }, 'job queue'))
  const repeater = createRepeater(log)

  return {
    send: async (tx, job, data) => {
      const { name, ...options }: NamedJob = typeof job === 'string' ? { name: job } : job
      const { times, firstSeconds, longestSeconds } = options.retry ?? RETRY
      await boss.send(name, data, {
        db: { executeSql: async (text: string, values?: unknown[]) => ({ rows: await tx.query(text, values) }) },
        retryLimit: times,
        retryBackoff: true,
        retryDelay: firstSeconds,
        retryDelayMax: longestSeconds,
        ...(options.startAfterSeconds ? { startAfter: options.startAfterSeconds } : {}),
        ...(options.singletonKey ? { singletonKey: options.singletonKey } : {}),
        ...(options.group ? { group: { id: options.group } } : {}),
      })
    },
    install: async (specs) => {
      await boss.start()
      await createMissingQueues(boss, specs.filter(isQueued))
      await boss.stop({ graceful: false })
    },
    start: async (specs, deps, work) => {
      const queued = specs.filter(isQueued)
      await boss.start()
      await createMissingQueues(boss, queued)
      if (!work) return
      const crons = new Map((await boss.getSchedules()).map(({ name, cron, options }) => [name, options?.missed === CATCH_UP_ONCE.missed ? cron : '']))
      for (const spec of queued) if (spec.cron && crons.get(spec.name) !== spec.cron) await boss.schedule(spec.name, spec.cron, undefined, CATCH_UP_ONCE)
      repeater.add('jobs.due', QUEUE_POLL_MS, createPoll(boss, queued, deps))
      // Started once every queue they may send to exists.
      for (const { name, everyMs, handle } of specs) if (everyMs) repeater.add(name, everyMs, () => handle(deps, {}))
    },
    stop: async () => {
      await repeater.stop()
      await boss.stop({ graceful: true, timeout: 10_000 })
    },
  }
}

const isQueued = ({ everyMs }: JobSpec): boolean => !everyMs

/** Nearly all queues exist at a start: one query reads them, and only missing ones are created. */
async function createMissingQueues(boss: PgBoss, specs: readonly JobSpec[]): Promise<void> {
  const there = new Set((await boss.getQueues()).map(({ name }) => name))
  for (const { name } of specs) if (!there.has(name)) await boss.createQueue(name)
}

/** Runs one job at a time and fetches the next as soon as it is done. Resolves to the worker's id. */
async function startWorker(boss: PgBoss, { name, atOnce, handle }: JobSpec, deps: Deps): Promise<string> {
  const own = { id: '' }
  const options = { pollingIntervalSeconds: BACKSTOP_SECONDS, batchSize: 1, ...(atOnce ? { groupConcurrency: atOnce.ofGroup } : {}) }
  own.id = await boss.work(name, options, async (batch: { data: unknown }[]) => {
    for (const job of batch) await handle(deps, job.data ?? {})
    boss.notifyWorker(own.id)
  })
  return own.id
}

/**
 * Finds the queues with due jobs and notifies their workers. A hundred workers that each poll once a second use a fifth of a core when
 * idle; this one statement checks all queues, with one probe of pg-boss's own index each. A queue has no workers before its first job: most
 * queues have none between two starts, and a hundred workers starting together took a fifth of the start time.
 */
function createPoll(boss: PgBoss, specs: readonly JobSpec[], deps: Deps): () => Promise<void> {
  const workers = new Map<string, string[]>()
  const names = specs.map(({ name }) => name)
  return async () => {
    const { rows } = await boss.getDb().executeSql(
      `select name from unnest($1::text[]) as name where exists
        (select 1 from jobs.job as j where j.name = name.name and j.state < 'active' and not j.blocked and j.start_after <= now())`,
      [names],
    )
    const due = new Set((rows as { readonly name: string }[]).map(({ name }) => name))
    for (const spec of specs) {
      if (!due.has(spec.name)) continue
      const own = workers.get(spec.name) ?? []
      workers.set(spec.name, own)
      for (const id of own) boss.notifyWorker(id)
      while (own.length < (spec.atOnce?.jobs ?? 1)) own.push(await startWorker(boss, spec, deps))
    }
  }
}

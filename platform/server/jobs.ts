import { PgBoss } from 'pg-boss'
import type { Deps, JobSpec } from './feature.ts'
import type { Jobs } from './job-sending.ts'
import type { Log } from './log.ts'
import { createRepeater } from './repeat.ts'

export type { JobSpec } from './feature.ts'
export type { Jobs, SendOptions } from './job-sending.ts'

/** Some two hours. */
const RETRY = { times: 20, firstSeconds: 1, longestSeconds: 600 }

export interface JobRunner extends Jobs {
  /** Makes the queue's tables and the queues, with the rights of who owns the database. */
  install(specs: readonly JobSpec[]): Promise<void>
  start(specs: readonly JobSpec[], deps: Deps, work: boolean): Promise<void>
  stop(): Promise<void>
}

export interface JobOptions {
  /** This process looks after the queue for all: clears up, and starts what has a time. */
  readonly keeps?: boolean
  /** False where somebody else has made the queue's tables. */
  readonly migrates?: boolean
}

/** pg-boss in the same database; its schema is created on first start. */
export function createJobs(databaseUrl: string, log: Log, { keeps = true, migrates = true }: JobOptions = {}): JobRunner {
  const boss = new PgBoss({
    connectionString: databaseUrl,
    schema: 'jobs',
    max: 3,
    application_name: 'mingxi-jobs',
    ...(keeps ? {} : { supervise: false, schedule: false }),
    ...(migrates ? {} : { migrate: false }),
  })
  boss.on('error', (error) => log.error({ err: error }, 'job queue'))
  const repeater = createRepeater(log)

  return {
    send: async (tx, name, data, options = {}) => {
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
      for (const spec of specs) if (!spec.everyMs) await boss.createQueue(spec.name)
      await boss.stop({ graceful: false })
    },
    start: async (specs, deps, work) => {
      await boss.start()
      for (const { name, cron, everyMs, atOnce, handle } of specs) {
        if (everyMs) continue
        await boss.createQueue(name)
        if (!work) continue
        const many = atOnce ? { localConcurrency: atOnce.jobs, groupConcurrency: atOnce.ofGroup } : {}
        await boss.work(name, { pollingIntervalSeconds: 1, batchSize: 1, ...many }, async (batch: { data: unknown }[]) => {
          for (const job of batch) await handle(deps, job.data ?? {})
        })
        if (cron) await boss.schedule(name, cron)
      }
      // when every queue is there that they may send to
      if (work) for (const { name, everyMs, handle } of specs) if (everyMs) repeater.add(name, everyMs, () => handle(deps, {}))
    },
    stop: async () => {
      await repeater.stop()
      await boss.stop({ graceful: true, timeout: 10_000 })
    },
  }
}

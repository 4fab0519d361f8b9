import type { Deps, EventHandler } from '../feature.ts'
import type { JobSpec } from '../jobs.ts'
import { transact, SYSTEM } from './transact.ts'
import { crashPoint } from '../crash.ts'

/**
 * Moves committed events to the job queue: one job per event and subscriber, enqueued in the transaction that marks the event delivered, so
 * that each is delivered at least once and a subscriber's failure is retried alone.
 */
export function buildOutboxJobs(handlers: readonly EventHandler[]): JobSpec[] {
  const relay: JobSpec = {
    name: 'outbox.relay',
    everyMs: 250,
    handle: async (deps) => {
      const waiting = await deps.db.query('select from outbox where delivered_at is null limit 1')
      while (waiting.length > 0 && (await relayBatch(deps, handlers)) === 100);
    },
  }
  const subscribers = handlers.map((handler): JobSpec => ({ name: formatJobName(handler), handle: (deps, data) => handler.handle(deps, data) }))
  return [relay, ...subscribers]
}

const formatJobName = (handler: EventHandler) => `on.${handler.event}.${handler.name}`

async function relayBatch(deps: Deps, handlers: readonly EventHandler[]): Promise<number> {
  return transact(deps.db, SYSTEM, async (tx) => {
    const rows = await tx.query<{ id: bigint; event: string; payload: Record<string, unknown> }>(
      'select id, event, payload from outbox where delivered_at is null order by id limit 100 for update skip locked',
    )
    if (!rows.length) return 0
    for (const row of rows) {
      for (const handler of handlers) {
        if (handler.event === row.event) await deps.jobs.send(tx, formatJobName(handler), { ...row.payload, eventId: row.id.toString() })
      }
    }
    crashPoint('outbox.before-mark')
    await tx.query('update outbox set delivered_at = now() where id = any($1)', [rows.map((row) => row.id)])
    return rows.length
  })
}

import type { Deps } from '#platform/server/feature.ts'
import { takeEvents } from '#platform/server/metrics.ts'
import type { CountedEvent } from '#platform/server/metrics.ts'
import { ALARM_CHECK_BEAT, writeBeat } from '#platform/server/database/beats.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { createId } from '#platform/shared/ids.ts'
import { ALARMS, CONDITION_EVENTS } from '../../alarms.ts'
import { listSystemConditions } from './conditions.ts'
import type { AlarmCondition } from './conditions.ts'
import { closeQuietEventAlarms, closeStateAlarms, closeLesserAlarm, closeTakenAlarms, deleteOldAlarms, lockWatch, upsertAlarm } from './data.ts'
import { notifyAlarms } from './notify-alarms.ts'
import { alarmEscalateMinutes } from '../settings.ts'

/** An event alarm closes after this time without another event. */
const QUIET_MS = 30 * 60_000
/** An alarm that is still open this long after an operator took it notifies all routes again. */
const RENOTIFY_MS = 4 * 3_600_000
const RETENTION_MS = 90 * 86_400_000
const FLUSH_MS = 5_000
const MAX_DETAIL_LENGTH = 300

type ConditionSource = (deps: Deps) => Promise<readonly AlarmCondition[]>

/** Job: checks the system, raises and closes alarms, and notifies the routes that are due. */
export const watchAlarms =
  (more: readonly ConditionSource[] = []) =>
  async (deps: Deps): Promise<void> => {
    const now = deps.clock.now()
    // Read before the transaction, which must not wait for a second connection
    const escalate = await deps.settings.get(alarmEscalateMinutes)
    const found = [...(await listSystemConditions(deps)), ...(await Promise.all(more.map((look) => look(deps)))).flat()]
    await transact(deps.db, SYSTEM, async (tx) => {
      if (!(await lockWatch(tx))) return
      const taken = await closeTakenAlarms(tx, new Date(now.getTime() - RENOTIFY_MS), now)
      // States that last are raised again below
      for (const { name, key, severity, detail, source, times } of taken)
        if (source === 'event') await raiseAlarm(tx, { name, key, severity, detail, source, times: Number(times), at: now })
      for (const { key = '', ...one } of found) await raiseAlarm(tx, { ...one, key, source: 'state', times: 1, at: now })
      await closeStateAlarms(tx, now)
      await closeQuietEventAlarms(tx, new Date(now.getTime() - QUIET_MS), now)
      await notifyAlarms(deps, tx, { now, escalate })
      await deleteOldAlarms(tx, new Date(now.getTime() - RETENTION_MS))
      // If this job stops running, every process raises an alarm itself (apps/server/watch)
      await writeBeat(tx, ALARM_CHECK_BEAT)
    })
  }

interface FoundCondition extends AlarmCondition {
  readonly key: string
  readonly source: 'state' | 'event'
  readonly times: number
  readonly at: Date
}

async function raiseAlarm(tx: Tx, found: FoundCondition): Promise<void> {
  const severity = found.severity ?? ALARMS[found.name]!.severity
  const raised = { ...found, severity, key: found.key.slice(0, 120), detail: found.detail.slice(0, MAX_DETAIL_LENGTH) }
  await closeLesserAlarm(tx, raised)
  await upsertAlarm(tx, { ...raised, id: createId('alm', found.at.getTime()) })
}

/** Stores the events that this process counted as alarms. */
export async function storeEvents(deps: Pick<Deps, 'db'>, events: ReadonlyMap<string, CountedEvent>): Promise<void> {
  const known = [...events].filter(([name]) => name in ALARMS && !CONDITION_EVENTS.has(name))
  if (!known.length) return
  await transact(deps.db, SYSTEM, async (tx) => {
    // Sorted, so that two processes cannot deadlock
    for (const [name, { times, lastAt }] of known.toSorted(([a], [b]) => (a < b ? -1 : 1)))
      await raiseAlarm(tx, { name, key: '', detail: '', source: 'event', times, at: lastAt })
  })
}

/** Flushes the counted events of this process and retries what the database did not accept. Returns a function that stops it. */
export function startEventFlush(deps: Deps): () => Promise<void> {
  let left = new Map<string, CountedEvent>()
  const flush = async () => {
    for (const [name, { times, lastAt }] of takeEvents()) left.set(name, { times: times + (left.get(name)?.times ?? 0), lastAt })
    const batch = left
    left = new Map()
    try {
      await storeEvents(deps, batch)
    } catch (error) {
      for (const [name, { times, lastAt }] of batch) left.set(name, { times: times + (left.get(name)?.times ?? 0), lastAt })
      deps.log.warn({ err: error }, 'alarms wait for the database')
    }
  }
  let running: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(flush)
  }, FLUSH_MS).unref()
  return async () => {
    clearInterval(timer)
    await running.then(flush)
  }
}

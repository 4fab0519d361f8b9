import type { Deps } from '#platform/server/feature.ts'
import { takeEvents } from '#platform/server/metrics.ts'
import type { CountedEvent } from '#platform/server/metrics.ts'
import { ALARM_LOOK, writeBeat } from '#platform/server/database/beats.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { newId } from '#platform/shared/ids.ts'
import { ALARMS, BY_LOOK } from '../../alarms.ts'
import { conditionsNow } from './conditions.ts'
import type { Condition } from './conditions.ts'
import { closeQuietEvents, closeStates, endLesser, endTaken, forgetAlarms, lockWatch, upsertAlarm } from './data.ts'
import { tellAlarms } from './tell.ts'
import { alarmEscalateMinutes } from '../settings.ts'

/** An event alarm closes after this time without another event. */
const QUIET_MS = 30 * 60_000
/** An alarm that is still open this long after an operator took it notifies all routes again. */
const TAKEN_MS = 4 * 3_600_000
const KEPT_MS = 90 * 86_400_000
const FLUSH_MS = 5_000
const LONGEST = 300

type More = (deps: Deps) => Promise<readonly Condition[]>

/** Job: checks the system, raises and closes alarms, and notifies the routes that are due. */
export const watchAlarms =
  (more: readonly More[] = []) =>
  async (deps: Deps): Promise<void> => {
    const now = deps.clock.now()
    // read before the transaction, which must not wait for a second connection
    const escalate = await deps.settings.get(alarmEscalateMinutes)
    const found = [...(await conditionsNow(deps)), ...(await Promise.all(more.map((look) => look(deps)))).flat()]
    await transact(deps.db, SYSTEM, async (tx) => {
      if (!(await lockWatch(tx))) return
      const taken = await endTaken(tx, new Date(now.getTime() - TAKEN_MS), now)
      // states that last are raised again below
      for (const { name, key, severity, detail, source, times } of taken)
        if (source === 'event') await raise(tx, { name, key, severity, detail, source, times: Number(times), at: now })
      for (const { key = '', ...one } of found) await raise(tx, { ...one, key, source: 'state', times: 1, at: now })
      await closeStates(tx, now)
      await closeQuietEvents(tx, new Date(now.getTime() - QUIET_MS), now)
      await tellAlarms(deps, tx, now, escalate)
      await forgetAlarms(tx, new Date(now.getTime() - KEPT_MS))
      // if this job stops running, every process raises an alarm itself (apps/server/watch)
      await writeBeat(tx, ALARM_LOOK)
    })
  }

interface Found extends Condition {
  readonly key: string
  readonly source: 'state' | 'event'
  readonly times: number
  readonly at: Date
}

async function raise(tx: Tx, found: Found): Promise<void> {
  const severity = found.severity ?? ALARMS[found.name]!.severity
  const raised = { ...found, severity, key: found.key.slice(0, 120), detail: found.detail.slice(0, LONGEST) }
  await endLesser(tx, raised)
  await upsertAlarm(tx, { ...raised, id: newId('alm', found.at.getTime()) })
}

/** Stores the events that this process counted as alarms. */
export async function keepEvents(deps: Pick<Deps, 'db'>, events: ReadonlyMap<string, CountedEvent>): Promise<void> {
  const known = [...events].filter(([name]) => name in ALARMS && !BY_LOOK.has(name))
  if (!known.length) return
  await transact(deps.db, SYSTEM, async (tx) => {
    // sorted, so that two processes cannot deadlock
    for (const [name, { times, lastAt }] of known.toSorted(([a], [b]) => (a < b ? -1 : 1)))
      await raise(tx, { name, key: '', detail: '', source: 'event', times, at: lastAt })
  })
}

/** Flushes the counted events of this process and retries what the database did not accept. Returns a function that stops it. */
export function startKeeping(deps: Deps): () => Promise<void> {
  let left = new Map<string, CountedEvent>()
  const flush = async () => {
    for (const [name, { times, lastAt }] of takeEvents()) left.set(name, { times: times + (left.get(name)?.times ?? 0), lastAt })
    const batch = left
    left = new Map()
    try {
      await keepEvents(deps, batch)
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

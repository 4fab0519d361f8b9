import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { subtractNano, computePartShare } from '#platform/shared/money.ts'
import { moveTask, selectTasks } from '#features/services/server/door.ts'
import type { TaskTransition, Task } from '#features/services/server/door.ts'
import { MINUTE_MS } from './length.ts'
import { remoteMinutes } from './settings.ts'

/**
 * Outcome of a session whose browser crashed: refunds the unused minutes, a started one included. A free use is returned if it broke in
 * its first half.
 */
export async function resolveBrokenSession(deps: Pick<Deps, 'db' | 'settings'>, task: Task): Promise<TaskTransition> {
  const whole = await deps.settings.get(remoteMinutes)
  const left = countUnusedMinutes((await listAddedUses(deps.db, task)).length, countMinutesLeft(task), whole)
  if (task.free === 'taken') return { to: 'failed', cause: left * 2 > whole ? 'broke_early' : 'broke_late' }
  return { to: 'failed', cause: 'broke', back: computePartShare(subtractNano(task.charged, task.returned), BigInt(left), BigInt(whole)) }
}

/** Refunds the added uses by the same rule as the session itself, in the transaction that ends it. */
export async function refundAddedUses(deps: Deps, tx: Tx, session: Task): Promise<void> {
  const { cause } = session
  if (cause !== 'lost' && !cause.startsWith('broke')) return
  const whole = await deps.settings.get(remoteMinutes)
  const left = countMinutesLeft(session)
  for (const [n, { id, charged, returned }] of (await listAddedUses(tx, session)).entries()) {
    const unused = cause === 'lost' ? whole : countUnusedMinutes(n, left, whole)
    const giveBack = computePartShare(subtractNano(charged, returned), BigInt(unused), BigInt(whole))
    if (unused > 0) await moveTask(deps, tx, { id, from: ['joined'], to: { to: 'joined', giveBack, returnsUse: unused * 2 > whole, note: cause } })
  }
}

/** Lists the uses that were added to a session, newest first. */
async function listAddedUses(sql: Sql, session: Task): Promise<Task[]> {
  const done = await selectTasks(sql, { userId: session.userId, service: 'remote', phases: ['done'], limit: 200 })
  return done.filter(({ state, facts }) => state === 'joined' && facts['session'] === session.id)
}

const countMinutesLeft = ({ expiresAt: end, now }: Task): number => Math.max(0, Math.ceil(((end?.getTime() ?? 0) - now.getTime()) / MINUTE_MS))

/** Unused minutes of a use with `after` later ones; the remaining time belongs to the uses added last. */
const countUnusedMinutes = (after: number, left: number, whole: number): number => Math.max(0, Math.min(whole, left - after * whole))

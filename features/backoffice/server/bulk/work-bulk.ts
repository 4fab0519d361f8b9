import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { findOperator } from '../access/data.ts'
import { permissionsOf } from '../../permissions.ts'
import { decideItems, endBulk, findBulk, holdRunning, lockUnit, moveBulk, nextUnit, runningBulks, tallyOf } from './data.ts'
import type { BulkRow } from './data.ts'
import { runItem } from './run-item.ts'
import type { UnitWorks } from './unit-work.ts'

/**
 * Job: processes the waiting units of all bulks with the work of each kind. Several workers share the units; after a crash another worker
 * takes the unit.
 */
export const workBulks =
  (works: UnitWorks) =>
  async (deps: Deps): Promise<void> => {
    for (const id of await runningBulks(deps.db)) await workBulk(deps, works, id)
  }

/** Processes unit after unit, each in one transaction: a row is either done with its effect, or still waiting without any. */
async function workBulk(deps: Deps, works: UnitWorks, id: string): Promise<void> {
  const bulk = await findBulk(deps.db, id)
  if (!bulk) return
  while (await workUnit(deps, works, bulk)) crashPoint('backoffice.bulk-unit')
  await transact(deps.db, { kind: 'operator', id: bulk.made_by }, async (tx) => {
    if (!(await endBulk(tx, id, deps.clock.now()))) return
    const { done, refused } = await tallyOf(tx, id)
    await tx.audit('bulk.done', `bulk:${id}`, { kind: bulk.kind, done, refused })
  })
}

/** Returns false when no unit is left. */
async function workUnit(deps: Deps, works: UnitWorks, { id, made_by, kind }: BulkRow): Promise<boolean> {
  return transact(deps.db, { kind: 'operator', id: made_by }, async (tx) => {
    const bulk = await holdRunning(tx, id)
    const unit = bulk && (await nextUnit(tx, id))
    if (!bulk || unit === undefined) return false
    if (!(await mayStill(deps, tx, bulk))) {
      await tx.audit('bulk.stopped', `bulk:${id}`, { why: 'FORBIDDEN' })
      await moveBulk(tx, id, 'running', 'stopped')
      return false
    }
    const items = await lockUnit(tx, id, unit)
    const verdicts = await (works[kind] ?? runItem)(deps, tx, bulk, items)
    const names = new Set(verdicts.values())
    for (const why of names)
      await decideItems(
        tx,
        id,
        items.filter(({ position }) => verdicts.get(position) === why).map(({ position }) => position),
        why,
        deps.clock.now(),
      )
    crashPoint('backoffice.bulk-uncommitted')
    return true
  })
}

/** The requester must still be active and have the permission. */
async function mayStill({ commands }: Deps, tx: Tx, { made_by, kind }: BulkRow): Promise<boolean> {
  const [asker, permission] = [await findOperator(tx, made_by), commands?.get(kind)?.permission]
  return asker?.status === 'active' && permission !== undefined && permissionsOf(asker.roles).has(permission)
}

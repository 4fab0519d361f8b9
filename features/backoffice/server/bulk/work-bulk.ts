import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { transact, createJoinedDb } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { findOperator } from '../access/data.ts'
import { resolvePermissions } from '../../permissions.ts'
import { decideItems, endBulk, findBulk, lockRunningBulk, lockUnit, moveBulk, findNextUnit, listRunningBulks, readBulkTally } from './data.ts'
import type { BulkRow } from './data.ts'
import type { UnitWorks, UnitWork } from './unit-work.ts'
import { Failure } from '#platform/shared/errors.ts'
import { performCommand } from '../commands/perform.ts'
import { prepareCommand } from '../commands/preview.ts'
import { resolveLevel } from '../commands/rules.ts'
import { APPROVAL_LEVELS } from '../../words.ts'

/** Runs the bulk's command for one row. A row for which the rules require a higher level than for the whole is refused. */
const runItem: UnitWork = async (deps, tx, { bulk, items }) => {
  const command = deps.commands!.get(bulk.kind)!
  const verdicts = new Map<number, string | null>()
  for (const { position, input } of items) {
    try {
      const { work, weight } = await prepareCommand({ ...deps, db: createJoinedDb(tx) }, command, { sent: { ...input }, reason: bulk.reason })
      // Counts towards the daily sum of the operator who requested the bulk
      const asked = {
        command: { name: command.name, permission: command.permission },
        subject: work.subject,
        weight,
        operatorId: bulk.madeBy,
        via: 'session',
      } as const
      const { level } = await resolveLevel(deps, tx, asked)
      if (APPROVAL_LEVELS.indexOf(level) > APPROVAL_LEVELS.indexOf(bulk.level)) {
        verdicts.set(position, 'COMMAND_FORBIDDEN')
        continue
      }
      const did = await performCommand(deps, tx, work)
      if (!did.refusal) await tx.audit('command.done', work.subject, { name: command.name, subject: work.subject, bulk: bulk.id, changes: did.changes })
      verdicts.set(position, did.refusal?.name ?? null)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      verdicts.set(position, error.errorName)
    }
  }
  return verdicts
}

/**
 * Job: processes the waiting units of all bulks with the work of each kind. Several workers share the units; after a crash another worker
 * takes the unit.
 */
export const createBulksJob =
  (works: UnitWorks) =>
  async (deps: Deps): Promise<void> => {
    for (const id of await listRunningBulks(deps.db)) await processBulk(deps, works, id)
  }

/** Processes unit after unit, each in one transaction: a row is either done with its effect, or still waiting without any. */
async function processBulk(deps: Deps, works: UnitWorks, id: string): Promise<void> {
  const bulk = await findBulk(deps.db, id)
  if (!bulk) return
  while (await processUnit(deps, works, bulk)) crashPoint('backoffice.bulk-unit')
  await transact(deps.db, { kind: 'operator', id: bulk.madeBy }, async (tx) => {
    if (!(await endBulk(tx, id, deps.clock.now()))) return
    const { done, refused } = await readBulkTally(tx, id)
    await tx.audit('bulk.done', `bulk:${id}`, { kind: bulk.kind, done, refused })
  })
}

/** Returns false when no unit is left. */
async function processUnit(deps: Deps, works: UnitWorks, { id, madeBy, kind }: BulkRow): Promise<boolean> {
  return transact(deps.db, { kind: 'operator', id: madeBy }, async (tx) => {
    const bulk = await lockRunningBulk(tx, id)
    const unit = bulk && (await findNextUnit(tx, id))
    if (!bulk || unit === undefined) return false
    if (!(await isStillPermitted(deps, tx, bulk))) {
      await tx.audit('bulk.stopped', `bulk:${id}`, { why: 'FORBIDDEN' })
      await moveBulk(tx, id, { from: 'running', to: 'stopped' })
      return false
    }
    const items = await lockUnit(tx, id, unit)
    const verdicts = await (works[kind] ?? runItem)(deps, tx, { bulk, items })
    const names = new Set(verdicts.values())
    for (const why of names)
      await decideItems(tx, id, {
        positions: items.filter(({ position }) => verdicts.get(position) === why).map(({ position }) => position),
        why,
        at: deps.clock.now(),
      })
    crashPoint('backoffice.bulk-uncommitted')
    return true
  })
}

/** The requester must still be active and have the permission. */
async function isStillPermitted({ commands }: Deps, tx: Tx, { madeBy, kind }: BulkRow): Promise<boolean> {
  const [asker, permission] = [await findOperator(tx, madeBy), commands?.get(kind)?.permission]
  return asker?.status === 'active' && permission !== undefined && resolvePermissions(asker.roles).has(permission)
}

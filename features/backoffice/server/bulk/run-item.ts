import { createJoinedDb } from '#platform/server/database/transact.ts'
import { Failure } from '#platform/shared/errors.ts'
import { performCommand } from '../commands/perform.ts'
import { prepareCommand } from '../commands/preview.ts'
import { resolveLevel } from '../commands/rules.ts'
import { APPROVAL_LEVELS } from '../../words.ts'
import type { UnitWork } from './unit-work.ts'

/** Runs the bulk's command for its one row. A row that the rules hold to more than the whole was held to is refused. */
export const runItem: UnitWork = async (deps, tx, bulk, items) => {
  const command = deps.commands!.get(bulk.kind)!
  const verdicts = new Map<number, string | null>()
  for (const { position, input } of items) {
    try {
      const { work, weight } = await prepareCommand({ ...deps, db: createJoinedDb(tx) }, command, { ...input }, bulk.reason)
      // counted towards the day of the operator who asked for the whole
      const asked = {
        command: { name: command.name, permission: command.permission },
        subject: work.subject,
        weight,
        operatorId: bulk.made_by,
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

import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { Failure } from '#platform/shared/errors.ts'
import { findOperator } from '../access/data.ts'
import { resolvePermissions } from '../../permissions.ts'
import { finishCommand } from './request-command.ts'
import { findCommand, lockCommand, moveCommand } from './data.ts'
import type { CommandRow } from './data.ts'
import { openInput } from './sealed-input.ts'
import { hashEffects, performCommand } from './perform.ts'
import { prepareCommand } from './preview.ts'
import type { EffectsDifference } from '../../words.ts'

/**
 * Runs an approved command once; later calls find it done. Called right after the approval and again by a job, so a crash in between only
 * delays it. If the state has changed since the preview, the command is refused with the difference.
 */
export async function runApprovedCommand(deps: Deps, no: string): Promise<CommandRow> {
  return attemptCommand(deps, no).catch((error: unknown) => {
    if (isTransientError(error)) throw error
    deps.log.error({ err: error, no }, 'an approved command failed')
    return failCommand(deps, no)
  })
}

/** Transient errors, which the job retries: lock timeout, lost connection, no response from a channel. */
function isTransientError(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  return code === '' || /^(08|40|53|55|57|E[A-Z]+)/.test(code)
}

async function failCommand(deps: Deps, no: string): Promise<CommandRow> {
  return transact(deps.db, SYSTEM, async (tx) => {
    const row = (await lockCommand(tx, no))!
    if (row.state !== 'approved') return row
    await tx.audit('command.failed', `command:${no}`, { name: row.name, subject: row.subject })
    return moveCommand(tx, row.id, {
      state: 'failed',
      move: {
        difference: { expected: row.preview, now: null, refusal: { name: 'INTERNAL', data: null } },
        endedAt: deps.clock.now(),
      },
    })
  })
}

async function attemptCommand(deps: Deps, no: string): Promise<CommandRow> {
  const asked = await findCommand(deps.db, no)
  const command = asked && deps.commands?.get(asked.name)
  if (!asked || !command) throw new Error(`command ${no} is not known here`)
  if (asked.state !== 'approved') return asked
  const prepared = await prepareCommand(deps, command, { sent: openInput(deps, asked), reason: asked.reason }).catch((error: unknown) => {
    if (error instanceof Failure) return error
    throw error
  })
  return transact(deps.db, { kind: 'operator', id: asked.askedBy }, async (tx) => {
    const row = (await lockCommand(tx, no))!
    if (row.state !== 'approved') return row
    if (!(await isStillPermitted(tx, row, command.permission)))
      return refuseCommandRun(deps, tx, { row, difference: { expected: row.preview, now: null, refusal: { name: 'FORBIDDEN', data: null } } })
    if (prepared instanceof Failure)
      return refuseCommandRun(deps, tx, {
        row,
        difference: { expected: row.preview, now: null, refusal: { name: prepared.errorName, data: prepared.data ?? null } },
      })
    const { work } = prepared
    let moved: EffectsDifference | undefined
    const done = await tx
      .savepoint(async () => {
        const did = await performCommand(deps, tx, work)
        if (did.refusal || !hashEffects(work, did).equals(row.expects)) {
          moved = { expected: row.preview, now: did, refusal: did.refusal }
          throw EFFECTS_CHANGED
        }
        const after = await finishCommand(deps, tx, { row, did })
        crashPoint('backoffice.effect-before-commit')
        return after
      })
      .catch((error: unknown) => {
        if (error !== EFFECTS_CHANGED) throw error
        return undefined
      })
    return done ?? refuseCommandRun(deps, tx, { row, difference: moved! })
  })
}

const EFFECTS_CHANGED = new Error('the preview is outdated')

async function refuseCommandRun(
  deps: Deps,
  tx: Tx,
  { row, difference }: { readonly row: CommandRow; readonly difference: EffectsDifference },
): Promise<CommandRow> {
  await tx.audit('command.refused', `command:${row.no}`, { name: row.name, subject: row.subject, why: difference.refusal?.name ?? 'COMMAND_MOVED' })
  return moveCommand(tx, row.id, { state: 'refused', move: { difference, endedAt: deps.clock.now() } })
}

/** The requester must still be active and have the permission. */
async function isStillPermitted(tx: Tx, row: CommandRow, permission: string): Promise<boolean> {
  const asker = await findOperator(tx, row.askedBy)
  return asker?.status === 'active' && resolvePermissions(asker.roles).has(permission)
}

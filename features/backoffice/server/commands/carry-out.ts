import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { Failure } from '#platform/shared/errors.ts'
import { findOperator } from '../access/data.ts'
import { permissionsOf } from '../../permissions.ts'
import { finish } from './ask.ts'
import { findCommand, lockCommand, moveCommand } from './data.ts'
import type { CommandRow } from './data.ts'
import { wholeInput } from './kept-input.ts'
import { hashOf, perform } from './perform.ts'
import { prepare } from './preview.ts'
import type { Difference } from '../../words.ts'

/**
 * Runs an approved command once; later calls find it done. Called right after the approval and again by a job, so a crash in between only
 * delays it. If the state has changed since the preview, the command is refused with the difference.
 */
export async function carryOut(deps: Deps, no: string): Promise<CommandRow> {
  return attempt(deps, no).catch((error: unknown) => {
    if (isPassing(error)) throw error
    deps.log.error({ err: error, no }, 'an approved command failed')
    return giveUp(deps, no)
  })
}

/** Transient errors, which the job retries: lock timeout, lost connection, no response from a channel. */
function isPassing(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  return code === '' || /^(08|40|53|55|57|E[A-Z]+)/.test(code)
}

async function giveUp(deps: Deps, no: string): Promise<CommandRow> {
  return transact(deps.db, SYSTEM, async (tx) => {
    const row = (await lockCommand(tx, no))!
    if (row.state !== 'approved') return row
    await tx.audit('command.failed', `command:${no}`, { name: row.name, subject: row.subject })
    return moveCommand(tx, row.id, 'failed', {
      difference: { expected: row.preview, now: null, refusal: { name: 'INTERNAL', data: null } },
      endedAt: deps.clock.now(),
    })
  })
}

async function attempt(deps: Deps, no: string): Promise<CommandRow> {
  const asked = await findCommand(deps.db, no)
  const command = asked && deps.commands?.get(asked.name)
  if (!asked || !command) throw new Error(`command ${no} is not known here`)
  if (asked.state !== 'approved') return asked
  const prepared = await prepare(deps, command, wholeInput(deps, asked), asked.reason).catch((error: unknown) => {
    if (error instanceof Failure) return error
    throw error
  })
  return transact(deps.db, { kind: 'operator', id: asked.asked_by }, async (tx) => {
    const row = (await lockCommand(tx, no))!
    if (row.state !== 'approved') return row
    if (!(await mayStill(tx, row, command.permission)))
      return refuse(deps, tx, row, { expected: row.preview, now: null, refusal: { name: 'FORBIDDEN', data: null } })
    if (prepared instanceof Failure)
      return refuse(deps, tx, row, { expected: row.preview, now: null, refusal: { name: prepared.errorName, data: prepared.data ?? null } })
    const { work } = prepared
    let moved: Difference | undefined
    const done = await tx
      .savepoint(async () => {
        const did = await perform(deps, tx, work)
        if (did.refusal || !hashOf(work, did).equals(row.expects)) {
          moved = { expected: row.preview, now: did, refusal: did.refusal }
          throw MOVED
        }
        const after = await finish(deps, tx, row, did)
        crashPoint('backoffice.effect-before-commit')
        return after
      })
      .catch((error: unknown) => {
        if (error !== MOVED) throw error
        return undefined
      })
    return done ?? refuse(deps, tx, row, moved!)
  })
}

const MOVED = new Error('the preview is outdated')

async function refuse(deps: Deps, tx: Tx, row: CommandRow, difference: Difference): Promise<CommandRow> {
  await tx.audit('command.refused', `command:${row.no}`, { name: row.name, subject: row.subject, why: difference.refusal?.name ?? 'COMMAND_MOVED' })
  return moveCommand(tx, row.id, 'refused', { difference, endedAt: deps.clock.now() })
}

/** The requester must still be active and have the permission. */
async function mayStill(tx: Tx, row: CommandRow, permission: string): Promise<boolean> {
  const asker = await findOperator(tx, row.asked_by)
  return asker?.status === 'active' && permissionsOf(asker.roles).has(permission)
}

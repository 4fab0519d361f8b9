import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { randomCode } from '#platform/shared/ids.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import { othersWith } from '../access/data.ts'
import { commandUnderWay, insertCommand, moveCommand, oneAskAtATime } from './data.ts'
import type { CommandRow } from './data.ts'
import { keptInput } from './kept-input.ts'
import { hashOf, perform, rehearse } from './perform.ts'
import type { Prepared } from './preview.ts'
import { levelOf } from './rules.ts'
import { LEVELS } from '../../words.ts'
import type { Level } from '../../words.ts'

export interface Asking {
  /** Hash from the preview, in hex; undefined skips the comparison (inverses are compared differently). */
  readonly expects: string | undefined
  readonly reasonCode: string
  readonly reason: string
  readonly link: string | undefined
  readonly operatorId: string
  readonly via: CommandRow['via']
  readonly viaId: string
  /** The operator has just passed step-up authentication. */
  readonly isProven: boolean
  readonly undoOf?: bigint
}

const HOURS = 72

/**
 * Requests a command: it runs at once if the rules allow, else it waits for approval. The row, the effect, its audit rows and its events are
 * one transaction. Throws COMMAND_FORBIDDEN, COMMAND_REASON, OPERATOR_STEP_UP, COMMAND_NO_SECOND, COMMAND_WAITS, COMMAND_MOVED, and the errors
 * of the command itself.
 */
export async function askCommand(deps: Deps, tx: Tx, { work, weight }: Prepared, asking: Asking): Promise<CommandRow> {
  const { command, subject } = work
  const { operatorId, via } = asking
  await oneAskAtATime(tx, operatorId)
  const { level: ruled, version } = await levelOf(deps, tx, { command, subject, weight, operatorId, via })
  const level = ruled === 'forbidden' ? fail('COMMAND_FORBIDDEN') : ruled
  requireReason(level, asking)
  if (level === 'stepUp' && via === 'session' && !asking.isProven) fail('OPERATOR_STEP_UP')
  // an undo has no approver, so it requires the same proof as the command did from one operator
  if (asking.undoOf !== undefined && LEVELS.indexOf(level) >= LEVELS.indexOf('stepUp')) {
    if (via === 'token') fail('OPERATOR_TOKEN')
    if (!asking.isProven) fail('OPERATOR_STEP_UP')
  }
  const needs = asking.undoOf !== undefined || via === 'breakGlass' ? 0 : othersNeeded(level, via)
  if (needs && (await othersWith(tx, command.permission, operatorId)).length < needs) fail('COMMAND_NO_SECOND')
  const now = deps.clock.now()
  const no = `C${shanghaiDay(now).replaceAll('-', '')}-${randomCode(8)}`
  const row = await insertCommand(tx, {
    ...{
      no,
      name: command.name,
      subject,
      ...keptInput(deps, no, command, work.input),
      link: asking.link ?? null,
      reason_code: asking.reasonCode,
      reason: asking.reason.trim(),
    },
    ...{ level, rules_version: version, needs, amount_nano: weight.amount ?? null, undo_of: asking.undoOf ?? null },
    ...{ via, via_id: asking.viaId, asked_by: operatorId, asked_at: now, expires_at: new Date(now.getTime() + HOURS * 3_600_000) },
  })
  if (!row) return fail('COMMAND_WAITS', { no: (await commandUnderWay(tx, command.name, subject))?.no ?? '' })
  await tx.audit('command.asked', `command:${row.no}`, { name: row.name, subject, via, viaId: asking.viaId, level, reasonCode: row.reason_code })
  const did = needs ? await rehearse(deps, tx, work) : await perform(deps, tx, work)
  if (did.refusal) fail(did.refusal.name, did.refusal.data ?? undefined)
  const expects = hashOf(work, did)
  if (asking.expects !== undefined && asking.expects !== expects.toString('hex'))
    fail('COMMAND_MOVED', { difference: { expected: null, now: did, refusal: null } })
  if (needs) return moveCommand(tx, row.id, 'waiting', { expects, preview: did })
  await moveCommand(tx, row.id, 'approved', { expects, preview: did })
  return finish(deps, tx, row, did)
}

/** Marks the command as done and audits it, in the transaction of its effect. */
export async function finish(
  deps: Pick<Deps, 'clock'>,
  tx: Tx,
  row: Pick<CommandRow, 'id' | 'no' | 'name' | 'subject'>,
  did: CommandRow['preview'],
): Promise<CommandRow> {
  await tx.audit('command.done', `command:${row.no}`, { name: row.name, subject: row.subject, changes: did.changes, rows: did.rows })
  return moveCommand(tx, row.id, 'done', { result: did.result, endedAt: deps.clock.now() })
}

/** Approvals needed. A script cannot pass step-up authentication, so such a command waits for one approval. */
function othersNeeded(level: Level, via: CommandRow['via']): 0 | 1 | 2 {
  if (level === 'two') return 2
  return level === 'second' || (level === 'stepUp' && via === 'token') ? 1 : 0
}

function requireReason(level: Level, { reason, reasonCode }: Asking): void {
  if (level !== 'free' && (!reasonCode || reason.trim().length < 10)) fail('COMMAND_REASON')
}

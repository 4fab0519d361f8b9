import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { createRandomCode } from '#platform/shared/ids.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { listOthersWithPermission } from '../access/data.ts'
import { findPendingCommand, insertCommand, moveCommand, lockOperatorRequests } from './data.ts'
import type { CommandRow } from './data.ts'
import { sealInput } from './sealed-input.ts'
import { hashEffects, performCommand, rehearseCommand } from './perform.ts'
import type { PreparedCommand } from './preview.ts'
import { resolveLevel } from './rules.ts'
import { APPROVAL_LEVELS } from '../../words.ts'
import type { ApprovalLevel } from '../../words.ts'

export interface CommandRequestInput {
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
export async function requestCommand(
  deps: Deps,
  tx: Tx,
  { command: { work, weight }, asking }: { readonly command: PreparedCommand; readonly asking: CommandRequestInput },
): Promise<CommandRow> {
  const { command, subject } = work
  const { operatorId, via } = asking
  await lockOperatorRequests(tx, operatorId)
  const { level: ruled, version } = await resolveLevel(deps, tx, { command, subject, weight, operatorId, via })
  const level = ruled === 'forbidden' ? fail('COMMAND_FORBIDDEN') : ruled
  requireReason(level, asking)
  if (level === 'stepUp' && via === 'session' && !asking.isProven) fail('OPERATOR_STEP_UP')
  // An undo has no approver, so it requires the same proof as the command did from one operator
  if (asking.undoOf !== undefined && APPROVAL_LEVELS.indexOf(level) >= APPROVAL_LEVELS.indexOf('stepUp')) {
    if (via === 'token') fail('OPERATOR_TOKEN')
    if (!asking.isProven) fail('OPERATOR_STEP_UP')
  }
  const needs = asking.undoOf !== undefined || via === 'breakGlass' ? 0 : countApprovalsNeeded(level, via)
  if (needs && (await listOthersWithPermission(tx, command.permission, operatorId)).length < needs) fail('COMMAND_NO_SECOND')
  const now = deps.clock.now()
  const no = `C${toShanghaiDay(now).replaceAll('-', '')}-${createRandomCode(8)}`
  const row = await insertCommand(tx, {
    ...{
      no,
      name: command.name,
      subject,
      ...sealInput(deps, no, { command, input: work.input }),
      link: asking.link ?? null,
      reasonCode: asking.reasonCode,
      reason: asking.reason.trim(),
    },
    ...{ level, rulesVersion: version, needs, amountNano: weight.amount ?? null, undoOf: asking.undoOf ?? null },
    ...{ via, viaId: asking.viaId, askedBy: operatorId, askedAt: now, expiresAt: new Date(now.getTime() + HOURS * 3_600_000) },
  })
  if (!row) return fail('COMMAND_WAITS', { no: (await findPendingCommand(tx, command.name, subject))?.no ?? '' })
  await tx.audit('command.asked', `command:${row.no}`, { name: row.name, subject, via, viaId: asking.viaId, level, reasonCode: row.reasonCode })
  const did = needs ? await rehearseCommand(deps, tx, work) : await performCommand(deps, tx, work)
  if (did.refusal) fail(did.refusal.name, did.refusal.data ?? undefined)
  const expects = hashEffects(work, did)
  if (asking.expects !== undefined && asking.expects !== expects.toString('hex'))
    fail('COMMAND_MOVED', { difference: { expected: null, now: did, refusal: null } })
  if (needs) return moveCommand(tx, row.id, { state: 'waiting', move: { expects, preview: did } })
  await moveCommand(tx, row.id, { state: 'approved', move: { expects, preview: did } })
  return finishCommand(deps, tx, { row, did })
}

/** Marks the command as done and audits it, in the transaction of its effect. */
export async function finishCommand(
  deps: Pick<Deps, 'clock'>,
  tx: Tx,
  { row, did }: { readonly row: Pick<CommandRow, 'id' | 'no' | 'name' | 'subject'>; readonly did: CommandRow['preview'] },
): Promise<CommandRow> {
  await tx.audit('command.done', `command:${row.no}`, { name: row.name, subject: row.subject, changes: did.changes, rows: did.rows })
  return moveCommand(tx, row.id, { state: 'done', move: { result: did.result, endedAt: deps.clock.now() } })
}

/** Approvals needed. A script cannot pass step-up authentication, so such a command waits for one approval. */
function countApprovalsNeeded(level: ApprovalLevel, via: CommandRow['via']): 0 | 1 | 2 {
  if (level === 'two') return 2
  return level === 'second' || (level === 'stepUp' && via === 'token') ? 1 : 0
}

function requireReason(level: ApprovalLevel, { reason, reasonCode }: CommandRequestInput): void {
  if (level !== 'free' && (!reasonCode || reason.trim().length < 10)) fail('COMMAND_REASON')
}

import { crashPoint } from '#platform/server/crash.ts'
import type { Ctx, Deps } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { lockOperator } from '../access/data.ts'
import { requireSteppedUpPerson } from '../access/require-person.ts'
import { resolvePermissions } from '../../permissions.ts'
import { runApprovedCommand } from './run-approved.ts'
import { listCommandDecisions, insertDecision, lockCommand, moveCommand, reviewCommand } from './data.ts'
import type { CommandRow } from './data.ts'

/**
 * Approves a command as another operator. The last required approval runs it. Throws COMMAND_DECIDED, COMMAND_OWN (requesters cannot approve
 * their own command, whatever their roles are by now), FORBIDDEN, OPERATOR_STEP_UP, OPERATOR_TOKEN.
 */
export async function approveCommand(ctx: Ctx, no: string, reason: string): Promise<CommandRow> {
  requireSteppedUpPerson(ctx)
  const row = await transact(ctx.db, ctx.actor, async (tx) => {
    const waiting = await lockWaiting(ctx, tx, no)
    if (!(await insertDecision(tx, waiting.id, { operatorId: ctx.operator!.id, verdict: 'approve', reason }))) return waiting
    await tx.audit('command.approved', `command:${no}`, { name: waiting.name, subject: waiting.subject, reason })
    const yes = (await listCommandDecisions(tx, waiting.id)).filter(({ verdict }) => verdict === 'approve')
    if (yes.length < waiting.needs) return waiting
    await ctx.jobs.send(tx, 'backoffice.carry-out', { no })
    return moveCommand(tx, waiting.id, { state: 'approved' })
  })
  crashPoint('backoffice.after-approval')
  return row.state === 'approved' ? runApprovedCommand(ctx, no) : row
}

/** Refuses a command. Final. */
export async function refuseCommand(ctx: Ctx, no: string, reason: string): Promise<CommandRow> {
  requireSteppedUpPerson(ctx)
  return transact(ctx.db, ctx.actor, async (tx) => {
    const waiting = await lockWaiting(ctx, tx, no)
    if (!(await insertDecision(tx, waiting.id, { operatorId: ctx.operator!.id, verdict: 'refuse', reason }))) fail('COMMAND_DECIDED', { state: waiting.state })
    await tx.audit('command.refused', `command:${no}`, { name: waiting.name, subject: waiting.subject, reason })
    return moveCommand(tx, waiting.id, { state: 'refused', move: { endedAt: ctx.clock.now() } })
  })
}

/** Withdraws a waiting command; only its requester can. */
export async function withdrawCommand(ctx: Ctx, no: string): Promise<CommandRow> {
  return transact(ctx.db, ctx.actor, async (tx) => {
    const row = (await lockCommand(tx, no)) ?? fail('NOT_FOUND')
    if (row.askedBy !== ctx.operator!.id) fail('FORBIDDEN')
    if (row.state !== 'waiting') fail('COMMAND_DECIDED', { state: row.state })
    await tx.audit('command.withdrawn', `command:${no}`, { name: row.name, subject: row.subject })
    return moveCommand(tx, row.id, { state: 'withdrawn', move: { endedAt: ctx.clock.now() } })
  })
}

/** Records another owner's review of a break-glass command. */
export async function reviewBrokenGlass(ctx: Ctx, no: string): Promise<void> {
  requireSteppedUpPerson(ctx)
  await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await reviewCommand(tx, no, ctx.operator!.id))) fail('NOT_FOUND')
    await tx.audit('command.reviewed', `command:${no}`)
  })
}

/** Locks a waiting command and checks that this operator may decide it, by their current roles. */
export async function lockWaiting(ctx: Ctx, tx: Tx, no: string): Promise<CommandRow> {
  const row = (await lockCommand(tx, no)) ?? fail('NOT_FOUND')
  const { id } = ctx.operator!
  if (row.askedBy === id) fail('COMMAND_OWN')
  if (row.state !== 'waiting') fail('COMMAND_DECIDED', { state: row.state })
  const operator = await lockOperator(tx, id)
  const permission = requireCommand(ctx, row.name).permission
  if (operator?.status !== 'active' || !resolvePermissions(operator.roles).has(permission)) fail('FORBIDDEN')
  return row
}

export const requireCommand = (deps: Pick<Deps, 'commands'>, name: string) => deps.commands?.get(name) ?? fail('NOT_FOUND')

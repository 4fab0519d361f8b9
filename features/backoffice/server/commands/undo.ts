import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { isOperatorProven } from '#platform/server/operator-proof.ts'
import { requestCommand } from './request-command.ts'
import { findCommand } from './data.ts'
import type { CommandRow } from './data.ts'
import { requireCommand } from './decide.ts'
import { openInput } from './sealed-input.ts'
import { rehearseCommand } from './perform.ts'
import { prepareCommand } from './preview.ts'
import type { CommandEffects } from '../../words.ts'

export const COMMAND_UNDO_MINUTES = 10

/**
 * Undoes a command within ten minutes by its inverse, without approval and once: only if the state is still as the command left it, and
 * only back to the state before. Throws COMMAND_NO_UNDO, FORBIDDEN.
 */
export async function undoCommand(ctx: Ctx, no: string): Promise<CommandRow> {
  const row = (await findCommand(ctx.db, no)) ?? fail('NOT_FOUND')
  const operator = ctx.operator!
  const command = requireCommand(ctx, row.name)
  if (!operator.permissions.has(command.permission)) fail('FORBIDDEN')
  const before = Object.fromEntries(row.preview.changes.map((each) => [each.name, each.before]))
  const inverse = command.undo?.(openInput(ctx, row), before) ?? fail('COMMAND_NO_UNDO')
  if (row.state !== 'done' || !row.endedAt || ctx.clock.now().getTime() - row.endedAt.getTime() > COMMAND_UNDO_MINUTES * 60_000) fail('COMMAND_NO_UNDO')
  const back = requireCommand(ctx, inverse.name)
  if (!operator.permissions.has(back.permission)) fail('FORBIDDEN')
  const prepared = await prepareCommand(ctx, back, { sent: back.input.parse(inverse.input), reason: `undo ${no}` })
  return transact(ctx.db, ctx.actor, async (tx) => {
    const would = await rehearseCommand(ctx, tx, prepared.work)
    if (would.refusal || !isInverse(row.preview, would, [...(command.loose ?? []), ...(back.loose ?? [])])) fail('COMMAND_NO_UNDO')
    return requestCommand(ctx, tx, {
      command: prepared,
      asking: {
        ...{ expects: undefined, reasonCode: 'undo', reason: `undoes ${no}`, link: undefined, undoOf: row.id },
        ...{ operatorId: operator.id, via: operator.by, viaId: operator.sessionId, isProven: isOperatorProven(ctx) },
      },
    })
  })
}

/** True if the second effect begins where the first ended, and ends where it began. */
function isInverse(did: CommandEffects, would: CommandEffects, loose: readonly string[]): boolean {
  const figures = (shown: CommandEffects) => shown.changes.filter(({ name }) => !loose.includes(name))
  const back = new Map(figures(would).map((each) => [each.name, each]))
  return figures(did).every(({ name, before, after }) => !back.has(name) || (back.get(name)!.before === after && back.get(name)!.after === before))
}

import type { Deps, SignedOperator } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Actor } from '#platform/server/database/transact.ts'
import type { OperatorCommand, ApprovalWeight } from '#platform/server/operator-command.ts'
import { hashEffects, rehearseCommand } from './perform.ts'
import type { CommandWork } from './perform.ts'
import { resolveLevel } from './rules.ts'
import type { ApprovalLevel, CommandEffects } from '../../words.ts'

export interface PreparedCommand {
  readonly work: CommandWork
  readonly weight: ApprovalWeight
}

/** Resolves the subject and makes external calls, before any transaction. */
export async function prepareCommand(
  deps: Deps,
  command: OperatorCommand,
  { sent, reason }: { readonly sent: Record<string, unknown>; readonly reason: string },
): Promise<PreparedCommand> {
  const input = command.resolve ? await command.resolve(deps, sent) : sent
  const subject = await command.subject(deps, input)
  const weight = (await command.weigh?.(deps, input)) ?? {}
  const gathered = await command.gather?.(deps, input)
  return { work: { command, subject, input, reason, gathered }, weight }
}

export interface CommandPreview {
  readonly subject: string
  readonly shown: CommandEffects
  /** Hash that the request must send back. */
  readonly expects: string
  readonly level: ApprovalLevel
  /** The command can be undone for ten minutes. */
  readonly canBeUndone: boolean
}

/** Previews a command: its effects now and the level that the rules require. Everything is rolled back. */
export async function previewCommand(
  deps: Deps,
  operator: SignedOperator,
  { command, sent }: { readonly command: OperatorCommand; readonly sent: Record<string, unknown> },
): Promise<CommandPreview> {
  const { work, weight } = await prepareCommand(deps, command, { sent, reason: 'preview' })
  const actor: Actor = { kind: 'operator', id: operator.id }
  const { shown, level } = await transact(deps.db, actor, async (tx) => ({
    shown: await rehearseCommand(deps, tx, work),
    level: (await resolveLevel(deps, tx, { command, subject: work.subject, weight, operatorId: operator.id, via: operator.by })).level,
  }))
  const before = Object.fromEntries(shown.changes.map((each) => [each.name, each.before]))
  return {
    subject: work.subject,
    shown,
    expects: hashEffects(work, shown).toString('hex'),
    level,
    canBeUndone: command.undo?.(work.input, before) !== undefined,
  }
}

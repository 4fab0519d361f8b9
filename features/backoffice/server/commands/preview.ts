import type { Deps, SignedOperator } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Actor } from '#platform/server/database/transact.ts'
import type { OperatorCommand, Weight } from '#platform/server/operator-command.ts'
import { hashOf, rehearse } from './perform.ts'
import type { Work } from './perform.ts'
import { levelOf } from './rules.ts'
import type { Level, Shown } from '../../words.ts'

export interface Prepared {
  readonly work: Work
  readonly weight: Weight
}

/** Resolves the subject and makes external calls, before any transaction. */
export async function prepare(deps: Deps, command: OperatorCommand, sent: Record<string, unknown>, reason: string): Promise<Prepared> {
  const input = command.resolve ? await command.resolve(deps, sent) : sent
  const subject = await command.subject(deps, input)
  const weight = (await command.weigh?.(deps, input)) ?? {}
  const gathered = await command.gather?.(deps, input)
  return { work: { command, subject, input, reason, gathered }, weight }
}

export interface Preview {
  readonly subject: string
  readonly shown: Shown
  /** Hash that the request must send back. */
  readonly expects: string
  readonly level: Level
  /** The command can be undone for ten minutes. */
  readonly canBeUndone: boolean
}

/** Previews a command: its effects now and the level that the rules require. Everything is rolled back. */
export async function previewCommand(deps: Deps, operator: SignedOperator, command: OperatorCommand, sent: Record<string, unknown>): Promise<Preview> {
  const { work, weight } = await prepare(deps, command, sent, 'preview')
  const actor: Actor = { kind: 'operator', id: operator.id }
  const { shown, level } = await transact(deps.db, actor, async (tx) => ({
    shown: await rehearse(deps, tx, work),
    level: (await levelOf(deps, tx, { command, subject: work.subject, weight, operatorId: operator.id, via: operator.by })).level,
  }))
  const before = Object.fromEntries(shown.changes.map((each) => [each.name, each.before]))
  return {
    subject: work.subject,
    shown,
    expects: hashOf(work, shown).toString('hex'),
    level,
    canBeUndone: command.undo?.(work.input, before) !== undefined,
  }
}

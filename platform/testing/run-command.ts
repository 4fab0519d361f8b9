import type { Deps } from '#platform/server/feature.ts'
import { createJoinedDb, transact } from '#platform/server/database/transact.ts'
import type { Actor } from '#platform/server/database/transact.ts'
import type { CommandExecution, CommandFacts, OperatorCommand } from '#platform/server/operator-command.ts'

export interface CommandResult {
  readonly subject: string
  readonly weight: object
  readonly before: CommandFacts
  readonly did: CommandFacts
  readonly after: CommandFacts
  /** The command that reverses it, with its input. */
  readonly undo: { readonly name: string; readonly input: Readonly<Record<string, unknown>> } | undefined
}

const REASON = 'a reason of some length'

/** Runs an operator's command by name, as the back office does when no approval is needed. */
export async function runOperatorCommand(
  deps: Deps,
  commands: readonly OperatorCommand<any>[],
  { name, sent, by = { kind: 'operator', id: 'op-test' } }: { readonly name: string; readonly sent: object; readonly by?: Actor },
): Promise<CommandResult> {
  const command = commands.find((each) => each.name === name)
  if (!command) throw new Error(`there is no command ${name}`)
  const parsed = command.input.parse(sent)
  const input = command.resolve ? await command.resolve(deps, parsed) : parsed
  const subject = await command.subject(deps, input)
  const weight = (await command.weigh?.(deps, input)) ?? {}
  const gathered = await command.gather?.(deps, input)
  return transact(deps.db, by, async (tx) => {
    const act: CommandExecution = { deps: { ...deps, db: createJoinedDb(tx) }, tx, by, reason: REASON, gathered }
    const before = await command.look(act, input)
    const did = await command.run(act, input)
    await tx.audit('test.command', subject, { name })
    return { subject, weight, before, did, after: await command.look(act, input), undo: command.undo?.(input, before) }
  })
}

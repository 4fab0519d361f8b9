import type { z } from 'zod'
import type { OperatorCommand } from './feature.ts'

export type { CommandExecution, CommandFacts, OperatorCommand, ApprovalWeight } from './feature.ts'

/** Declares a command; its functions see its own input. */
export function defineCommand<I extends z.ZodObject>(command: OperatorCommand<I>): OperatorCommand<I> {
  return command
}

import type { z } from 'zod'
import type { Nano } from '#platform/shared/money.ts'
import type { Actor, Tx } from './database/transact.ts'
import type { Deps } from './feature.ts'

/** A figure that a command changes or that decides about it; money as decimal text. Never a contact, a secret or card data. */
export type Fact = string | number | boolean | null
export type Facts = Readonly<Record<string, Fact>>

/** One run of a command, real or to be rolled back: it cannot tell which. */
export interface Act {
  /** `db` is the transaction: verbs that open one join it. */
  readonly deps: Deps
  readonly tx: Tx
  readonly by: Actor
  readonly reason: string
  /** What `gather` found. */
  readonly gathered: unknown
}

/** What the rules ask about a command: how much money it moves, in nano-dollars, and whose. */
export interface Weight {
  readonly amount?: Nano
  readonly userId?: string
}

/**
 * Something that operators may have done: declared beside the thing it changes, run by the back office. From it come the endpoints,
 * the command line and the preview. Source: docs/decisions/0054.
 */
export interface OperatorCommand<I extends z.ZodObject = z.ZodObject> {
  /** `thing.verb`. */
  readonly name: string
  readonly summary: string
  readonly permission: string
  /** `reason`, `reasonCode`, `link` and `expects` are the asking's own fields. */
  readonly input: I
  /** Names what was meant by its id, before anything else; contacts must not be kept. */
  readonly resolve?: (deps: Deps, input: z.output<I>) => Promise<z.output<I>>
  /** What it is done to, `user:usr_...`: one command waits for one subject. Throws NOT_FOUND. */
  readonly subject: (deps: Deps, input: z.output<I>) => Promise<string>
  readonly weigh?: (deps: Deps, input: z.output<I>) => Promise<Weight>
  /** Asks an outside party, before any lock; the transaction itself makes no outside call. */
  readonly gather?: (deps: Deps, input: z.output<I>) => Promise<unknown>
  /** The figures, read before and after `run` in its transaction. */
  readonly look: (act: Act, input: z.output<I>) => Promise<Facts>
  /** Figures that may move between preview and run without a refusal. */
  readonly loose?: readonly string[]
  /** Does it, in `act.tx`. What it answers is kept, so nothing secret. */
  readonly run: (act: Act, input: z.output<I>) => Promise<Facts>
  /** The command that takes it back, from the figures before; nothing where it cannot be taken back. */
  readonly undo?: (input: z.output<I>, before: Facts) => { readonly name: string; readonly input: Readonly<Record<string, unknown>> } | undefined
}

/** Declares a command; its functions see its own input. */
export function defineCommand<I extends z.ZodObject>(command: OperatorCommand<I>): OperatorCommand<I> {
  return command
}

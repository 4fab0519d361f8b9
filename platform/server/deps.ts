import type { z } from 'zod'
import type { Lang } from '#platform/shared/texts.ts'
import type { Clock } from './clock.ts'
import type { PlatformConfig } from './config.ts'
import type { Db } from './database/db.ts'
import type { Actor, Tx } from './database/transact.ts'
import type { Blocker, CommandFacts, UserFacts, ApprovalWeight } from './feature-parts.ts'
import type { Jobs } from './job-sending.ts'
import type { Log } from './log.ts'
import type { Settings } from './settings.ts'

/** Dependencies of every verb; built once per process and passed in. */
export interface Deps {
  readonly db: Db
  readonly config: PlatformConfig & Readonly<Record<string, unknown>>
  readonly settings: Settings
  readonly jobs: Jobs
  readonly log: Log
  readonly clock: Clock
  /** Base URL for webhooks and this server's calls to itself, without a trailing slash. */
  readonly publicUrl: () => string
  /** Base URL of the pages: in a request, the address in the browser (see `createOrigins`). */
  readonly siteUrl: () => string
  /** Random key of this installation: seals data and signs values that clients return. */
  readonly secretKey: Buffer
  /** All keys that can unseal and verify, `secretKey` first: allows key rotation without loss. */
  readonly secretKeys: readonly Buffer[]
  /** Personal data of each feature, by the feature's name (see `collectPersonalData`). */
  readonly personal?: ReadonlyMap<string, PersonalData>
  /** Public counters, by name (see `collectCounters`). */
  readonly counted?: ReadonlyMap<string, WaitingCounter>
  /** Operator commands, by name (see `collectCommands`). */
  readonly commands?: ReadonlyMap<string, OperatorCommand<any>>
}

/** The operator signed in at the operators' origin: a person, or a script with a person's token. */
export interface SignedOperator {
  readonly id: string
  readonly by: 'session' | 'token'
  /** Id of the session or the token. */
  readonly sessionId: string
  readonly permissions: ReadonlySet<string>
  /** The last time the person authenticated. */
  readonly provenAt: Date
}

/** One request, as a verb sees it. */
export interface Ctx extends Deps {
  readonly actor: Actor
  /** Empty for anonymous requests. */
  readonly userId: string
  readonly sessionId: string
  /** Set at the operators' origin when an operator is signed in. */
  readonly operator?: SignedOperator | undefined
  readonly lang: Lang
  readonly clientType: 1 | 2
  readonly requestId: string
  readonly ip: string
  readonly userAgent: string
  /** Browser name that the client reports, if any. */
  readonly device?: string | undefined
  /** Set on endpoints with `idempotency: 'required'`: the handler must do its work in this transaction. */
  readonly tx: Tx | undefined
}

/** A request's context inside its transaction. */
export interface TxCtx extends Ctx {
  readonly tx: Tx
}

export type WaitingCounter = (deps: Deps) => Promise<number>

/** A feature's data about a user: its part of the data export and of the user's facts, and its reasons why the account cannot be closed. */
export interface PersonalData {
  /** Plain JSON, without secrets; `undefined` when there is nothing. */
  readonly exportOf?: (deps: Deps, userId: string) => Promise<unknown>
  readonly blockersOf?: (deps: Deps, userId: string, lang: Lang) => Promise<readonly Blocker[]>
  /** Adds to the facts that pages show about the signed-in user. */
  readonly factsOf?: (deps: Deps, userId: string) => Promise<UserFacts>
}

/** One run of a command, real or to be rolled back; `run` cannot distinguish them. */
export interface CommandExecution {
  /** `db` is the transaction: verbs that open one join it. */
  readonly deps: Deps
  readonly tx: Tx
  readonly by: Actor
  readonly reason: string
  /** The result of `gather`. */
  readonly gathered: unknown
}

/**
 * An operation for operators: declared beside the data it changes, run by the back office. Source of its endpoints, its command line and its preview.
 * See docs/decisions/operators.md.
 */
export interface OperatorCommand<I extends z.ZodObject = z.ZodObject> {
  /** `thing.verb`. */
  readonly name: string
  readonly summary: string
  readonly permission: string
  /** `reason`, `reasonCode`, `link` and `expects` are reserved for the request itself. */
  readonly input: I
  /** Replaces contacts by ids before the command is stored; contacts must not be kept. */
  readonly resolve?: (deps: Deps, input: z.output<I>) => Promise<z.output<I>>
  /** Replacements for fields that must not be readable in the stored command; the real values are sealed beside it. */
  readonly conceal?: (input: z.output<I>) => Readonly<Record<string, unknown>>
  /** The command's subject, `user:usr_...`: at most one command waits per subject. Throws NOT_FOUND. */
  readonly subject: (deps: Deps, input: z.output<I>) => Promise<string>
  readonly weigh?: (deps: Deps, input: z.output<I>) => Promise<ApprovalWeight>
  /** Calls an outside party, before any lock; the transaction itself makes no outside call. */
  readonly gather?: (deps: Deps, input: z.output<I>) => Promise<unknown>
  /** The figures, read before and after `run` in its transaction. */
  readonly look: (act: CommandExecution, input: z.output<I>) => Promise<CommandFacts>
  /** Figures that may differ between preview and run without a refusal. */
  readonly loose?: readonly string[]
  /**
   * The command moves money. `counted`: towards a customer or out, by the operator's decision; `weigh` returns the amount, which counts
   * towards the operator's daily limit. `own`: only money that already belongs to the customer or that a channel, vendor or customer has
   * confirmed. A command without this property that posts to the ledger is refused.
   */
  readonly money?: 'counted' | 'own'
  /** Allows a bulk run: the back office adds the command `<name>-many`. */
  readonly bulk?: true
  /** Executes the command in `act.tx`. Its result is stored, so it must hold no secret. */
  readonly run: (act: CommandExecution, input: z.output<I>) => Promise<CommandFacts>
  /** The command that reverses it, from the figures before; undefined if it cannot be reversed. */
  readonly undo?: (input: z.output<I>, before: CommandFacts) => { readonly name: string; readonly input: Readonly<Record<string, unknown>> } | undefined
}

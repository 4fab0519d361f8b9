import type { z } from 'zod'
import type { Lang } from '#platform/shared/texts.ts'
import type { Clock } from './clock.ts'
import type { PlatformConfig } from './config.ts'
import type { Db } from './database/db.ts'
import type { Actor, Tx } from './database/transact.ts'
import type { Blocker, Facts, UserFacts, Weight } from './feature-parts.ts'
import type { Jobs } from './job-sending.ts'
import type { Log } from './log.ts'
import type { Settings } from './settings.ts'

/** What every verb may use; built once a process and passed in. */
export interface Deps {
  readonly db: Db
  readonly config: PlatformConfig & Readonly<Record<string, unknown>>
  readonly settings: Settings
  readonly jobs: Jobs
  readonly log: Log
  readonly clock: Clock
  /** Where notices and this server's own calls reach it, without a trailing slash. */
  readonly publicUrl: () => string
  /** Where people reach the pages: of a request's verb the address that its browser is at (see `createOrigins`). */
  readonly siteUrl: () => string
  /** Random key of this installation: seals, and signs what leaves and comes back. */
  readonly secretKey: Buffer
  /** All keys that open and prove what comes back, `secretKey` first: it changes without anything being lost. */
  readonly secretKeys: readonly Buffer[]
  /** What each feature keeps about a user, by the feature's name (see `personalOf`). */
  readonly personal?: ReadonlyMap<string, PersonalData>
  /** What may be counted in public, by name (see `countedOf`). */
  readonly counted?: ReadonlyMap<string, Count>
  /** What operators may have done, by name (see `commandsOf`). */
  readonly commands?: ReadonlyMap<string, OperatorCommand<any>>
}

/** Who is signed in at the operators' origin: a person, or a script with a token of a person's. */
export interface SignedOperator {
  readonly id: string
  readonly by: 'session' | 'token'
  /** The session's or the token's. */
  readonly sessionId: string
  readonly permissions: ReadonlySet<string>
  /** The last time the person proved to be there. */
  readonly provenAt: Date
}

/** One request, as a verb sees it. */
export interface Ctx extends Deps {
  readonly actor: Actor
  /** Set when somebody is signed in. */
  readonly userId: string
  readonly sessionId: string
  /** Set at the operators' origin when an operator is signed in. */
  readonly operator?: SignedOperator | undefined
  readonly lang: Lang
  readonly clientType: 1 | 2
  readonly requestId: string
  readonly ip: string
  readonly userAgent: string
  /** The name that this browser gave itself, where it told one. */
  readonly device?: string | undefined
  /** Set on endpoints with `idempotency: 'required'`: the effect must be made in it. */
  readonly tx: Tx | undefined
}

export type Count = (deps: Deps) => Promise<number>

/** What a feature keeps about a user: its part of the data export and of the user's facts, and what stands in the way of closing the account. */
export interface PersonalData {
  /** Plain JSON, without secrets; `undefined` when there is nothing. */
  readonly exportOf?: (deps: Deps, userId: string) => Promise<unknown>
  readonly blockersOf?: (deps: Deps, userId: string, lang: Lang) => Promise<readonly Blocker[]>
  /** What it adds to the facts that pages show of the signed-in user. */
  readonly factsOf?: (deps: Deps, userId: string) => Promise<UserFacts>
}

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
  /** Fields that nobody may read where the command is kept, as they are shown instead: what they are is sealed beside. */
  readonly conceal?: (input: z.output<I>) => Readonly<Record<string, unknown>>
  /** What it is done to, `user:usr_...`: one command waits for one subject. Throws NOT_FOUND. */
  readonly subject: (deps: Deps, input: z.output<I>) => Promise<string>
  readonly weigh?: (deps: Deps, input: z.output<I>) => Promise<Weight>
  /** Asks an outside party, before any lock; the transaction itself makes no outside call. */
  readonly gather?: (deps: Deps, input: z.output<I>) => Promise<unknown>
  /** The figures, read before and after `run` in its transaction. */
  readonly look: (act: Act, input: z.output<I>) => Promise<Facts>
  /** Figures that may move between preview and run without a refusal. */
  readonly loose?: readonly string[]
  /**
   * It moves money. `counted`: towards a customer or out, by the operator's decision; `weigh` names the amount, which counts towards what the
   * operator may move in a day. `own`: only what is the customer's own already, or what a channel, a vendor or the customer has said.
   * A command without it that posts to the ledger is refused.
   */
  readonly money?: 'counted' | 'own'
  /** It may be run for many things at once: the back office makes its twin `<name>-many`. */
  readonly bulk?: true
  /** Does it, in `act.tx`. What it answers is kept, so nothing secret. */
  readonly run: (act: Act, input: z.output<I>) => Promise<Facts>
  /** The command that takes it back, from the figures before; nothing where it cannot be taken back. */
  readonly undo?: (input: z.output<I>, before: Facts) => { readonly name: string; readonly input: Readonly<Record<string, unknown>> } | undefined
}

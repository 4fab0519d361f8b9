import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { z } from 'zod'
import type { Contract, Endpoint, InputOf, ReplyOf } from '#platform/shared/contract.ts'
import type { Errors } from '#platform/shared/errors.ts'
import type { Lang, Texts } from '#platform/shared/texts.ts'
import type { Clock } from './clock.ts'
import type { PlatformConfig, Shape } from './config.ts'
import type { Db } from './database/db.ts'
import type { Jobs } from './job-sending.ts'
import type {
  BalanceSource,
  Blocker,
  CertificateFact,
  Facts,
  KeyedRows,
  PageSources,
  RawReply,
  RawRequest,
  SandboxPanel,
  SealedColumn,
  UserFacts,
  Weight,
} from './feature-parts.ts'
import type { Log } from './log.ts'
import type { Setting, Settings } from './settings.ts'
import type { Actor, Tx } from './database/transact.ts'

export type * from './feature-parts.ts'

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

export interface Handler<E extends Endpoint> {
  (ctx: Ctx, input: InputOf<E>): Promise<ReplyOf<E>>
  /**
   * Runs ahead of the transaction of an endpoint with an idempotency key: what must not be undone with it, or must not
   * wait for a second connection inside it (a payment password). A refusal here is not kept for the key.
   */
  readonly before?: (ctx: Ctx, input: InputOf<E>) => Promise<void>
}
export type Handlers<C extends Contract> = { readonly [K in keyof C]: Handler<C[K]> }
export interface Binding {
  readonly contract: Contract
  readonly handlers: Readonly<Record<string, Handler<any>>>
  /** Errors of the verbs behind it, where another feature than the one that binds owns them. */
  readonly errors?: Errors
}

/** Binds each endpoint to its verb; a missing or ill-typed one is a type error. */
export function bind<C extends Contract>(contract: C, handlers: Handlers<C>): Binding {
  return { contract, handlers }
}

/** A route outside the contract: raw bytes in, raw bytes out (payment notices, sandbox pages). */
export interface RawRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly role: 'api' | 'sandbox'
  /** Bytes of a body, at most; a megabyte unless told. */
  readonly bodyLimit?: number
  readonly handle: (deps: Deps, request: RawRequest) => Promise<RawReply>
}
/** A WebSocket's address outside the contract: whoever serves it answers the upgrade itself. */
export interface SocketRoute {
  readonly path: string
  readonly role: string
  readonly open: (deps: Deps, request: IncomingMessage, socket: Duplex, early: Buffer) => void
}
/** A job's definition. Its handler must be idempotent: a job can run twice. */
export interface JobSpec {
  readonly name: string
  /** Cron text in UTC; pg-boss guarantees one run per minute across processes. */
  readonly cron?: string
  /** Milliseconds between runs in one process, for work that must be quicker than a minute; the first comes within a second of the start. */
  readonly everyMs?: number
  /** How many run at once in one process, and of one group (`SendOptions.group`) in all; one and no groups where absent. */
  readonly atOnce?: { readonly jobs: number; readonly ofGroup: number }
  /** Imported when first run, so that other roles do not load it. */
  readonly handle: (deps: Deps, data: any) => Promise<void>
}

export interface EventHandler {
  readonly event: string
  readonly name: string
  readonly handle: (deps: Deps, payload: any) => Promise<void>
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

/** What a feature gives the shell. Everything optional: a feature is as small as it can be. */
export interface Feature {
  readonly name: string
  readonly texts?: Texts
  readonly errors?: Errors
  readonly routes?: readonly Binding[]
  /** Endpoints of the operators' origin; the customers' does not have them. */
  readonly consoleRoutes?: readonly Binding[]
  /** What operators may have done with the feature's things. */
  readonly commands?: readonly OperatorCommand<any>[]
  readonly rawRoutes?: readonly RawRoute[]
  readonly sockets?: readonly SocketRoute[]
  readonly jobs?: readonly JobSpec[]
  readonly events?: readonly EventHandler[]
  readonly settings?: readonly Setting<any>[]
  readonly config?: Shape
  readonly personal?: PersonalData
  /** How many there are of what the public pages may boast of; asked seldom. */
  readonly counted?: Readonly<Record<string, Count>>
  /** Suppliers and channels that tell what we have there. */
  readonly balances?: (deps: Deps) => Promise<readonly BalanceSource[]>
  /** Certificates of others that it holds or has fetched. */
  readonly certificates?: (deps: Deps) => Promise<readonly CertificateFact[]>
  readonly sealed?: readonly SealedColumn[]
  readonly keyed?: readonly KeyedRows[]
  /** What the feature's pages need from other hosts, by its settings of now. */
  readonly pageSources?: (deps: Deps) => Promise<PageSources>
  /** Origins whose frames the operators’ pages show: an issuer’s window with a card. */
  readonly consoleFrames?: (deps: Deps) => Promise<readonly string[]>
  readonly sandboxPanels?: readonly ((deps: Deps) => Promise<SandboxPanel>)[]
  /** Runs once when a role that needs the feature starts; returns what must be stopped. */
  readonly start?: (deps: Deps, roles: ReadonlySet<string>) => Promise<(() => Promise<void>) | void>
  /** Whether an action of /features.yaml is on for the caller, whose id is empty for a visitor; exactly one feature has it. */
  readonly isOn?: (deps: Deps, flag: string, userId: string) => Promise<boolean>
  /** Turns an access token into a user; exactly one feature has it. `readOnly`: somebody else looks at the account. */
  readonly authenticate?: (
    deps: Deps,
    token: string,
    seen: { ip: string; userAgent: string },
  ) => Promise<{ userId: string; sessionId: string; readOnly?: true } | undefined>
  /** Whose token of the operators' origin it is; exactly one feature has it. */
  readonly authenticateOperator?: (deps: Deps, token: string, seen: { ip: string; userAgent: string }) => Promise<SignedOperator | undefined>
  /** Why a token opens no session any more, where its holder may know; the feature with `authenticate` has it. */
  readonly sessionEndReason?: (deps: Deps, token: string) => Promise<'elsewhere' | undefined>
}

export function defineFeature(feature: Feature): Feature {
  return feature
}

export function personalOf(features: readonly Feature[]): ReadonlyMap<string, PersonalData> {
  return new Map(features.flatMap(({ name, personal }) => (personal ? [[name, personal]] : [])))
}

export function countedOf(features: readonly Feature[]): ReadonlyMap<string, Count> {
  return new Map(features.flatMap(({ counted = {} }) => Object.entries(counted)))
}

export function commandsOf(features: readonly Feature[]): ReadonlyMap<string, OperatorCommand<any>> {
  return new Map(features.flatMap(({ commands = [] }) => commands.map((command) => [command.name, command] as const)))
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
  /** It may be run for many things at once: the back office makes its twin `<name>-many`. */
  readonly bulk?: true
  /** Does it, in `act.tx`. What it answers is kept, so nothing secret. */
  readonly run: (act: Act, input: z.output<I>) => Promise<Facts>
  /** The command that takes it back, from the figures before; nothing where it cannot be taken back. */
  readonly undo?: (input: z.output<I>, before: Facts) => { readonly name: string; readonly input: Readonly<Record<string, unknown>> } | undefined
}

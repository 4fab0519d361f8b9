import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Contract, Endpoint, InputOf, ReplyOf } from '#platform/shared/contract.ts'
import type { Errors } from '#platform/shared/errors.ts'
import type { Texts } from '#platform/shared/texts.ts'
import type { SettingProblem, Shape } from './config.ts'
import type { Count, Ctx, Deps, OperatorCommand, PersonalData, SignedOperator } from './deps.ts'
import type { BalanceSource, CertificateFact, KeyedRows, PageSources, RawReply, RawRequest, SandboxPanel, SealedColumn } from './feature-parts.ts'
import type { Setting } from './settings.ts'
import type { SupplierPort } from './suppliers/ports.ts'

export type * from './deps.ts'
export type * from './feature-parts.ts'

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

/** What a feature gives the shell. Everything optional: a feature is as small as it can be. */
export interface Feature {
  readonly name: string
  readonly texts?: Texts
  readonly errors?: Errors
  /** Errors of an endpoint ("POST /path") that other features bring when they start, for the API reference. */
  readonly broughtErrors?: Readonly<Record<string, () => readonly string[]>>
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
  /** Settings without which these roles cannot start; those that could not be read are undefined. */
  readonly missing?: (config: Deps['config'], roles: ReadonlySet<string>) => readonly SettingProblem[]
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
  /** Its ports to suppliers. */
  readonly suppliers?: readonly SupplierPort[]
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

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Contract, Endpoint, InputOf, ReplyOf } from '#platform/shared/contract.ts'
import type { Errors } from '#platform/shared/errors.ts'
import type { Texts } from '#platform/shared/texts.ts'
import type { SettingProblem, ConfigShape } from './config.ts'
import type { WaitingCounter, Ctx, Deps, OperatorCommand, PersonalData, SignedOperator, TxCtx } from './deps.ts'
import type { BalanceSource, CertificateFact, KeyedRows, PageSources, RawReply, RawRequest, SandboxPanel, SealedColumn } from './feature-parts.ts'
import type { Setting } from './settings.ts'
import type { SupplierPort } from './suppliers/ports.ts'

export type * from './deps.ts'
export type * from './feature-parts.ts'

/** Context of an endpoint's handler: with an idempotency key and no `actsWith`, every call has a transaction. */
export type CtxOf<E extends Endpoint> = E extends { readonly idempotency: string } ? (E extends { readonly actsWith: string } ? Ctx : TxCtx) : Ctx

export interface Handler<E extends Endpoint> {
  (ctx: CtxOf<E>, input: InputOf<E>): Promise<ReplyOf<E>>
  /**
   * Runs before the transaction of an endpoint with an idempotency key: for work that must not be rolled back with it or wait for a second
   * connection inside it (a payment password). A refusal here is not stored under the key.
   */
  readonly before?: (ctx: Ctx, input: InputOf<E>) => Promise<void>
}
/** A handler of an endpoint that is known only at run time. */
export interface AnyHandler {
  (ctx: any, input: any): Promise<any>
  readonly before?: (ctx: Ctx, input: any) => Promise<void>
}
export type Handlers<C extends Contract> = { readonly [K in keyof C]: Handler<C[K]> }
export interface Binding {
  readonly contract: Contract
  readonly handlers: Readonly<Record<string, AnyHandler>>
  /** Errors of the handlers, if another feature than the binding one owns them. */
  readonly errors?: Errors
}

/** Binds each endpoint to its handler; a missing or ill-typed one is a type error. */
export function bind<C extends Contract>(contract: C, handlers: Handlers<C>): Binding {
  return { contract, handlers }
}

/** A route outside the contract: raw bytes in, raw bytes out (payment notices, sandbox pages). */
export interface RawRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly role: 'api' | 'sandbox'
  /** Maximum size of the body in bytes; defaults to a megabyte. */
  readonly bodyLimit?: number
  readonly handle: (deps: Deps, request: RawRequest) => Promise<RawReply>
}
/** A WebSocket route outside the contract: `open` performs the upgrade. */
export interface SocketRoute {
  readonly path: string
  readonly role: string
  readonly open: (deps: Deps, request: IncomingMessage, connection: { readonly socket: Duplex; readonly early: Buffer }) => void
}
/** A job's definition. Its handler must be idempotent: a job can run twice. */
export interface JobSpec {
  readonly name: string
  /** Cron text in UTC; pg-boss guarantees one run per minute across processes. */
  readonly cron?: string
  /** Milliseconds between runs in one process, for work that must run more than once a minute; the first run comes within a second of the start. */
  readonly everyMs?: number
  /** Concurrency limits: `jobs` per process, `ofGroup` per group (`SendOptions.group`) across processes; defaults to one job and no groups. */
  readonly atOnce?: { readonly jobs: number; readonly ofGroup: number }
  /** Should import its code on the first run, so that other roles do not load it. */
  readonly handle: (deps: Deps, data: any) => Promise<void>
}

export interface EventHandler {
  readonly event: string
  readonly name: string
  readonly handle: (deps: Deps, payload: any) => Promise<void>
}

/** A feature's contribution to the server; every part is optional. */
export interface Feature {
  readonly name: string
  readonly texts?: Texts
  readonly errors?: Errors
  /** Errors of an endpoint ("POST /path") that other features add at start-up, for the API reference. */
  readonly broughtErrors?: Readonly<Record<string, () => readonly string[]>>
  readonly routes?: readonly Binding[]
  /** Endpoints of the operators' origin; not served on the customers' origin. */
  readonly consoleRoutes?: readonly Binding[]
  /** Operator commands on the feature's data. */
  readonly commands?: readonly OperatorCommand<any>[]
  readonly rawRoutes?: readonly RawRoute[]
  readonly sockets?: readonly SocketRoute[]
  readonly jobs?: readonly JobSpec[]
  readonly events?: readonly EventHandler[]
  readonly settings?: readonly Setting<any>[]
  readonly config?: ConfigShape
  /** Missing settings that keep these roles from starting; settings that could not be parsed are undefined. */
  readonly missing?: (config: Deps['config'], roles: ReadonlySet<string>) => readonly SettingProblem[]
  readonly personal?: PersonalData
  /** Counters for the public pages; queried rarely. */
  readonly counted?: Readonly<Record<string, WaitingCounter>>
  /** Suppliers and channels that report our balance. */
  readonly balances?: (deps: Deps) => Promise<readonly BalanceSource[]>
  /** Third-party certificates that it holds or has fetched. */
  readonly certificates?: (deps: Deps) => Promise<readonly CertificateFact[]>
  readonly sealed?: readonly SealedColumn[]
  readonly keyed?: readonly KeyedRows[]
  /** External hosts that the feature's pages need, from its current settings. */
  readonly pageSources?: (deps: Deps) => Promise<PageSources>
  /** Origins that the operators' pages may frame: an issuer's window with a card. */
  readonly consoleFrames?: (deps: Deps) => Promise<readonly string[]>
  /** Its ports to suppliers. */
  readonly suppliers?: readonly SupplierPort[]
  readonly sandboxPanels?: readonly ((deps: Deps) => Promise<SandboxPanel>)[]
  /** Runs once when a role that needs the feature starts; returns its stop function. */
  readonly start?: (deps: Deps, roles: ReadonlySet<string>) => Promise<(() => Promise<void>) | void>
  /** True if an action of /features.yaml is enabled for the caller, whose id is empty for a visitor; exactly one feature has it. */
  readonly isOn?: (deps: Deps, flag: string, userId: string) => Promise<boolean>
  /** Resolves an access token to a user; exactly one feature has it. `readOnly`: an operator views the account. */
  readonly authenticate?: (
    deps: Deps,
    token: string,
    seen: { ip: string; userAgent: string },
  ) => Promise<{ userId: string; sessionId: string; readOnly?: true } | undefined>
  /** Resolves a token of the operators' origin; exactly one feature has it. */
  readonly authenticateOperator?: (deps: Deps, token: string, seen: { ip: string; userAgent: string }) => Promise<SignedOperator | undefined>
  /** Reason why a token's session has ended, if its holder may learn it; the feature with `authenticate` has it. */
  readonly sessionEndReason?: (deps: Deps, token: string) => Promise<'elsewhere' | undefined>
}

export function defineFeature(feature: Feature): Feature {
  return feature
}

export function collectPersonalData(features: readonly Feature[]): ReadonlyMap<string, PersonalData> {
  return new Map(features.flatMap(({ name, personal }) => (personal ? [[name, personal]] : [])))
}

export function collectCounters(features: readonly Feature[]): ReadonlyMap<string, WaitingCounter> {
  return new Map(features.flatMap(({ counted = {} }) => Object.entries(counted)))
}

export function collectCommands(features: readonly Feature[]): ReadonlyMap<string, OperatorCommand<any>> {
  return new Map(features.flatMap(({ commands = [] }) => commands.map((command) => [command.name, command] as const)))
}

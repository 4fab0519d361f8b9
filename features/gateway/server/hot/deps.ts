import type { BlockList } from 'node:net'
import type { Nano } from '#platform/shared/money.ts'
import type { ClassPrices, Factor, Prices } from './settlement/prices.ts'
import type { KeyLimits, Quota } from './admission/quota.ts'
import type { Gate } from './choice/gate.ts'

export type * from './settlement/prices.ts'
export type * from './admission/quota.ts'

/**
 * What the relay needs from outside, passed in at start-up. Nothing here does I/O on the common path: keys, models and
 * leases are looked up in memory; `journal` writes are grouped into one commit and awaited only where the rules say so
 * (wire.md, "Rules of ours" 1 and 5).
 */

/** What one account may do in this process; Infinity, or undefined of money: as it likes. */
export interface AccountShare {
  readonly requestsMinute: number
  readonly atOnce: number
  /** Money held by its calls under way. */
  readonly atRisk: Nano | undefined
}

/** How a request is spoken: which body, which usage, which stream. */
export type Dialect =
  | 'openai-chat'
  | 'openai-responses'
  | 'openai-embeddings'
  | 'openai-completions'
  | 'openai-images'
  | 'openai-image-edits'
  | 'openai-speech'
  | 'openai-transcriptions'
  | 'openai-translations'
  | 'openai-moderations'
  | 'rerank'
  | 'anthropic-messages'
  | 'gemini-generate'
  | 'gemini-embed'
  | 'openai-realtime'
  | 'gemini-live'
/** Whose error shape and headers the caller expects. */
export type Surface = 'openai' | 'anthropic' | 'gemini'
export type VendorId = string

/** What a model is for. Only chat models are translated. */
export type ModelKind = 'chat' | 'embedding' | 'realtime' | 'image' | 'speech' | 'transcription' | 'moderation' | 'rerank'

/**
 * How a model differs from others of its dialect, as far as a translated request must know (ModelVendor.traits).
 * thinks-by-budget: knows tokens, no effort. always-thinks: cannot be told not to. thinks-unless-told: thinks by itself.
 * thinks-by-level: has levels of effort. media-results: pictures in tool results. max-effort: has the effort `max`. system-turns: system messages among the turns.
 */
export type Trait = 'thinks-by-budget' | 'always-thinks' | 'thinks-unless-told' | 'thinks-by-level' | 'media-results' | 'max-effort' | 'system-turns'

export interface Model {
  readonly id: string
  readonly vendor: VendorId
  readonly displayName: string
  readonly kind: ModelKind
  readonly dialects: ReadonlySet<Dialect>
  readonly capabilities: readonly string[]
  readonly traits?: ReadonlySet<Trait>
  readonly contextTokens: number | undefined
  readonly maxOutputTokens: number | undefined
  /** Unix seconds. */
  readonly createdAt: number
  readonly lifecycle: 'active' | 'deprecated' | 'retired'
  readonly deprecatedAt: number | undefined
  readonly retiresAt: number | undefined
  readonly successor: string | undefined
  /** Headers of every answer: that it is deprecated, or that it answers for another. Name, value, ... */
  readonly notice?: readonly string[]
  /** The retired model whose calls this one answers: the caller named that one. */
  readonly answersFor?: string
  readonly prices: Prices
  /** Where the model is served, best first. Never empty for an active model. */
  readonly routes: readonly Route[]
}

export interface Route {
  readonly upstream: Upstream
  /** The model's name at that upstream. */
  readonly upstreamModel: string
  /** Lower goes first, and lists are in this order; routes of one rank share by weight. 0 and 1 where absent. */
  readonly rank?: number
  readonly weight?: number
  /** What it serves of the model's dialects; all of them where absent. */
  readonly dialects?: ReadonlySet<Dialect>
  /** Milliseconds to wait for the head, and between the bytes of the body, where they are not the usual ones. */
  readonly firstByteMs?: number
  readonly betweenMs?: number
}

/** Lower-case names; a list where a field came more than once. Without a prototype. */
export type UpstreamHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

export interface UpstreamRequest {
  readonly origin: string
  readonly path: string
  /** Name, value, ... */
  readonly headers: readonly string[]
  readonly body: Buffer
  /** Wait for the head. */
  readonly timeoutMs: number
  /** Wait between the bytes of the body; as for the head where absent. */
  readonly betweenMs?: number
}

/** What becomes of a request. Nothing more is said after onEnd, onError or an abort, nor within `send`. */
export interface UpstreamHandler {
  onHead(status: number, headers: UpstreamHeaders): void
  /** All body bytes of one read of the connection, the handler's to keep. */
  onData(data: Buffer): void
  onEnd(): void
  onError(error: Error, isTimeout: boolean): void
}

/** A request under way, for the client that sent it. */
export interface Exchange {
  readonly over: boolean
  /** False while it waits for a connection: the server knows nothing of it yet. */
  readonly written: boolean
}

/** Speaks HTTP to upstreams over connections kept warm; see upstream/client.ts. */
export interface UpstreamClient {
  /** POST. Throws where the request cannot be put into HTTP, or the client is closed. */
  send(request: UpstreamRequest, handler: UpstreamHandler): Exchange
  /** These do nothing once the exchange is over. */
  abort(exchange: Exchange): void
  pause(exchange: Exchange): void
  resume(exchange: Exchange): void
  /** Opens connections to an origin ahead of the first request, up to so many with those that are open. */
  warm?(origin: string, connections: number): void
  /** Closes all connections; what is under way fails. */
  close(): Promise<void>
}

/** A vendor's server: the quirks are pure functions, the connections a warm pool. See vendors/port.ts. */
export interface Upstream {
  readonly id: string
  readonly vendor: VendorId
  readonly origin: string
  /** Joined before the vendor's own path, e.g. "" or "/proxy/openai". */
  readonly basePath: string
  readonly client: UpstreamClient
  /** Credential headers of this upstream, lower-case name, value, ... */
  readonly authHeaders: readonly string[]
  /** True when the vendor goes on generating, and billing, after the client has gone (decisions, "The model API"). */
  readonly billsAfterAbort: boolean
  /** Header in which this upstream accepts our call id (ModelVendor.callIdHeader); real vendors get nothing unknown. */
  readonly callIdHeader?: string
  /** Present where it takes only so much at once. */
  readonly gate?: Gate
  /** Takes no new calls; those under way come to their end. Changes while calls hold this object. */
  draining?: boolean
}

/** A key as the relay knows it. `secretHash` is the hex SHA-256 of the secret. */
export interface ApiKey {
  readonly keyId: string
  readonly userId: string
  readonly accountId: bigint
  readonly onDisconnect: 'abort' | 'drain'
  /** Its account's calls are read to their end when a client leaves: an estimate fell short there (trust.ts). */
  readonly readsOn?: boolean
  /** Undefined on most keys: what a key does not use costs nothing. */
  readonly limits?: KeyLimits | undefined
  /** Written by its calls, read and emptied by who keeps the key: where the first of them came from, what the last one asked. */
  readonly seen?: { from: string; model: string }
  /** The hash of the secret that it was found by, where that one was replaced and lives on for a while. */
  readonly oldSecret?: string
}

/** A call that was refused before anything was promised for it. */
export interface RefusedCall {
  readonly accountId: bigint
  readonly keyId: string
  readonly requestId: string
  readonly at: number
  readonly totalMs: number
  readonly cause: string
  readonly status: number
  readonly surface: Surface
  readonly path: string
  /** Of the catalogue; empty where it named none of it. */
  readonly model: string
  readonly asked: string
  readonly message: string
  readonly field: string | undefined
}

/** Why no money could be set aside; `too_much_held`: calls under way hold as much as one account may. */
export type Refusal = 'insufficient_balance' | 'too_much_held' | 'unavailable'

/** Part of an account's balance that this process may promise without asking the database. */
export interface Lease {
  readonly leaseId: bigint
  /** What of it a call was promised, where that is less than it asked for. */
  readonly granted?: Nano
}

/** A call that has been promised money: written before the client sees a byte, so that a sweeper can resolve it. */
export interface ReservedCall {
  readonly callId: string
  readonly leaseId: bigint
  readonly accountId: bigint
  readonly keyId: string
  readonly userId: string
  readonly model: string
  readonly upstream: string
  readonly priceVersion: number
  readonly held: Nano
  readonly startedAt: number
  /** What the caller named, where another model answered for it (`Model.answersFor`). */
  readonly askedModel?: string | undefined
}

/**
 * counted: the vendor names no figure, and the request itself tells it exactly (characters of speech, seconds of a file). held: no figure
 * that could be billed came within the limits, and what was set aside is charged.
 */
export type Provenance = 'upstream' | 'upstream_partial' | 'counted' | 'estimated' | 'held'

/** One class on the itemised row: units (`tokens`, whatever the class counts) x unit price (nano-dollars per million) = amount, rounded up. A factor's line has no units and no amount: its unit price is the factor. */
export interface UsageLine {
  readonly kind: keyof ClassPrices | Factor | 'reasoning' | 'call'
  readonly tokens: number
  readonly unitPrice: Nano
  readonly amount: Nano
}

/** What a call came to. Written once by callId; the amount is the sum of the lines. */
export interface SettledCall extends ReservedCall {
  readonly dialect: Dialect
  readonly stream: boolean
  readonly status: number
  readonly outcome: 'completed' | 'client_gone' | 'upstream_failed' | 'upstream_cut'
  readonly provenance: Provenance
  readonly lines: readonly UsageLine[]
  readonly amount: Nano
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
  readonly reasoningTokens: number
  /** The vendor's own request id, '' when it gave none. */
  readonly upstreamRequestId: string
  readonly requestId: string
  /** Milliseconds from reading the head to the first byte and to the end. */
  readonly firstByteMs: number
  readonly totalMs: number
  /** What the vendor keeps of the answer, by its ids (kept/made.ts). */
  readonly madeIds?: readonly string[] | undefined
}

export interface Journal {
  /**
   * Sets `amount` aside in memory against a lease; with `least` a part of it (`Lease.granted`), where the account has not as much again. Synchronous
   * while the lease covers it, else one database round trip.
   */
  admit(key: ApiKey, amount: Nano, least?: Nano): Lease | Refusal | Promise<Lease | Refusal>
  /** What an account that was just refused could have been promised: for the words of the refusal. Absent in benches. */
  free?(accountId: bigint): Nano
  /** Gives back what was set aside for a call that is not made; nothing is written. Absent where nobody asks for quotes (benches). */
  forgo?(lease: Lease, amount: Nano): void
  /**
   * Resolves when the row is durable. Rows of the same moment share one commit. Unless `soon`, the row may wait some milliseconds
   * for a settlement that takes its place: for answers that the client sees nothing of before they are settled.
   */
  reserve(call: ReservedCall, soon: boolean): Promise<void>
  /** True while the row has not left for the database. A settlement given now takes its place, and `reserve` resolves with it. */
  isWaiting(callId: string): boolean
  /** Resolves when the usage row and its charge to the lease are durable; the ledger follows within moments. Idempotent by callId. Retries until the database answers. */
  settle(call: SettledCall): Promise<void>
  /** Nothing was used: gives the money back. Resolves when durable. */
  release(call: ReservedCall, outcome: SettledCall['outcome'], status: number): Promise<void>
  /** Money that was admitted and never promised to a call: free again at once. Writes nothing. */
  giveBack(leaseId: bigint, amount: Nano): void
}

/** What an account has and has used, in nano-dollars, as whoever holds one of its keys may see it. */
export interface Funds {
  /** Below zero where there is debt. */
  readonly balance: Nano
  /** What of it was a gift. */
  readonly granted: Nano
  readonly usedThisMonth: Nano
  readonly usedByKey: Nano
  readonly keyName: string
  /** Undefined where the key may use all. */
  readonly keyModels: readonly string[] | undefined
  readonly keyExpiresAt: Date | undefined
}

export interface HotDeps {
  /** Undefined: no such key. Memory first; a promise only on the first sight of a key. Revocation is pushed within 1 s. */
  findKey(secret: string): ApiKey | undefined | Promise<ApiKey | undefined>
  findModel(id: string): Model | undefined
  listModels(): readonly Model[]
  readonly journal: Journal
  /** Answers from memory for some seconds. Absent where nobody asks (benches). */
  fundsOf?(key: ApiKey): Promise<Funds>
  /** Absent: no limits of accounts. */
  readonly accountShare?: () => AccountShare
  /** Absent where no key is counted (benches). */
  readonly quota?: Quota
  /** Which of these ids vendors made for the account. Nothing can be named where it is absent (benches). */
  madeFor?(accountId: bigint, ids: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * The most tokens that a text can be at this vendor, counted beside the event loop; undefined where that is too busy. Absent where nobody counts
   * (benches): a byte is a token then.
   */
  countTokens?(text: Buffer, vendor: VendorId, accountId: bigint): Promise<number | undefined>
  readonly brand: { readonly header: string; readonly consoleUrl: () => string }
  readonly limits: {
    /** Bytes of a request body; more is refused with 413. */
    readonly bodyBytes: number
    /** Bytes of large bodies that may be in memory at once, a quarter of it for one account; no bound when absent. */
    readonly bodiesBytes?: number
    /** A body that has not arrived after this is refused with 408. */
    readonly bodyMs: number
    /** Wait for the upstream's headers, and between its chunks. */
    readonly upstreamMs: number
    /** Silence towards the client after which a keepalive is sent. */
    readonly keepaliveMs: number
    /** A client that has read nothing for this long counts as gone. */
    readonly slowReaderMs: number
    /** Output tokens assumed when the request names no cap and the model has none. */
    readonly defaultOutputTokens: number
    /** How long an answer is read on after its client left, before what was held is charged; 15 minutes when absent. */
    readonly drainMs?: number
    /** How closely a stream is written to where the loop is full, up to four times as long where it stays so (pace.ts); as ever when absent. */
    readonly fullPaceMs?: number
  }
  /** Tells the owner of a key what was refused and why. Must not wait, and may forget. */
  noteRefused?(refused: RefusedCall): void
  /** An estimate fell short of what the vendor billed: from now on the account's calls are read to their end, by every process. */
  noteShort?(found: { readonly accountId: bigint; readonly callId: string; readonly estimated: Nano; readonly billed: Nano }): void
  /** From 0 to 1; Math.random when absent. */
  readonly random?: () => number
  /** Whose x-forwarded-for is believed; this machine's own when absent. */
  readonly proxies?: BlockList
  readonly log: { warn(data: object, text: string): void; error(data: object, text: string): void }
  readonly metrics: {
    call(model: string, status: number, ms: number): void
    stream(delta: 1 | -1): void
    /** Something that an operator must look at (docs/runbooks). */
    alarm?(event: 'gateway.usage_missing' | 'gateway.usage_unknown'): void
    /** An upstream's breaker changed; the model is `*` where the whole upstream is meant. */
    breaker?(upstream: string, model: string, kind: string, state: 'closed' | 'half_open' | 'open'): void
  }
}

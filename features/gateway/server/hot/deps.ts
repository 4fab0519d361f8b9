import type { BlockList } from 'node:net'
import type { Nano } from '#platform/shared/money.ts'
import type { KeyQuota } from './deps/quota.ts'
import type { AccountShare, ApiKey, Funds, RefusedCallRecord } from './deps/account.ts'
import type { Journal } from './deps/journal.ts'
import type { GatewayModel } from './deps/model.ts'
import type { VendorId } from './deps/names.ts'

export type * from './deps/prices.ts'
export type * from './deps/quota.ts'
export type * from './deps/account.ts'
export type * from './deps/journal.ts'
export type * from './deps/model.ts'
export type * from './deps/names.ts'
export type * from './deps/upstream.ts'

/**
 * Dependencies of the relay, passed in at start-up. None does I/O on the common path: keys, models and leases come from memory;
 * `journal` writes are grouped into one commit and awaited only where the rules require it (wire.md 0.1, 0.5).
 */
export interface HotDeps {
  /** undefined if unknown. Reads memory; returns a promise only on the first use of a key. Revocations are pushed within 1 s. */
  findKey(secret: string): ApiKey | undefined | Promise<ApiKey | undefined>
  findModel(id: string): GatewayModel | undefined
  listModels(): readonly GatewayModel[]
  /** Models at a customer's negotiated prices; undefined for customers on list prices. */
  pricedFor?(userId: string): Pick<HotDeps, 'findModel' | 'listModels'> | undefined
  readonly journal: Journal
  /** Cached for some seconds. Absent in benches. */
  fundsOf?(key: ApiKey): Promise<Funds>
  /** Absent: no account limits. */
  readonly accountShare?: () => AccountShare
  /** Absent in benches, where no key has counted limits. */
  readonly quota?: KeyQuota
  /** Returns which of these ids vendors created for the account. If absent (benches), requests cannot refer to any. */
  madeFor?(accountId: bigint, ids: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Upper bound of a text's tokens at this vendor, counted off the event loop; undefined if the counter is busy. Absent in benches,
   * where each byte counts as a token.
   */
  countTokens?(text: Buffer, vendor: VendorId, accountId: bigint): Promise<number | undefined>
  readonly brand: { readonly header: string; readonly consoleUrl: () => string; readonly support: string }
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
    /** A client that blocked its answer for this long at a time may be why its vendor gave up; 30 seconds when absent. */
    readonly heldUpMs?: number
    /** Output tokens assumed when the request names no cap and the model has none. */
    readonly defaultOutputTokens: number
    /** Time to read an answer after its client disconnected, before the held amount is charged; 15 minutes when absent. */
    readonly drainMs?: number
    /** Interval between writes of a stream when the loop is full, up to four times as long if it stays so (pace.ts); no pacing when absent. */
    readonly fullPaceMs?: number
  }
  /** Reports a refused call to the key's owner. Must not block, and may drop reports. */
  noteRefused?(refused: RefusedCallRecord): void
  /** An estimate was lower than the vendor's bill: from now on every process reads the account's calls to their end. */
  noteShort?(found: { readonly accountId: bigint; readonly callId: string; readonly estimated: Nano; readonly billed: Nano }): void
  /** From 0 to 1; Math.random when absent. */
  readonly random?: () => number
  /** Trusted proxies for x-forwarded-for; this machine's own when absent. */
  readonly proxies?: BlockList
  readonly log: { warn(data: object, text: string): void; error(data: object, text: string): void }
  readonly metrics: {
    call(model: string, status: number, ms: number): void
    stream(delta: 1 | -1): void
    /** An event that an operator must look at (docs/runbooks). */
    alarm?(event: 'gateway.usage_missing' | 'gateway.usage_unknown'): void
    /** An upstream's breaker changed; the model is `*` for the whole upstream. */
    breaker?(of: { readonly upstream: string; readonly model: string; readonly kind: string }, state: 'closed' | 'half_open' | 'open'): void
  }
}

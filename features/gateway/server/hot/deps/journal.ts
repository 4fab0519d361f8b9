import type { Nano } from '#platform/shared/money.ts'
import type { ClassPrices, Factor } from './prices.ts'
import type { ApiKey } from './account.ts'
import type { Dialect } from './names.ts'

/** Reason why no money could be set aside; `too_much_held`: open calls hold as much as one account may. */
export type FundsRefusal = 'insufficient_balance' | 'too_much_held' | 'unavailable'

/** Part of an account's balance that this process may promise without asking the database. */
export interface Lease {
  readonly leaseId: bigint
  /** Amount granted to the call, if less than requested. */
  readonly granted?: Nano
}

/** An upstream that failed before another answered, or before none remained. */
export interface FailedTry {
  readonly upstream: string
  /** Response status; 0 without a response. */
  readonly status: number
  readonly cause: 'refused' | 'timeout' | 'connection'
  /** Milliseconds from the call's beginning to the dial, and from the dial to its end. */
  readonly from: number
  readonly ms: number
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
  /** Model that the caller named, if another one answered for it (`Model.answersFor`). */
  readonly askedModel?: string | undefined
  /** Upstreams that failed this call, in order; undefined for nearly all calls. */
  readonly failed?: readonly FailedTry[] | undefined
}

/**
 * counted: the vendor reports no usage, but the request determines it exactly (characters of speech, seconds of a file). held: no
 * billable usage came within the limits, and the held amount is charged.
 */
export type Provenance = 'upstream' | 'upstream_partial' | 'counted' | 'estimated' | 'held'

/** One class on the itemised row: units (`tokens`, whatever the class counts) x unit price (nano-dollars per million) = amount, rounded up. A factor's line has no units and no amount: its unit price is the factor. */
export interface UsageLine {
  readonly kind: keyof ClassPrices | Factor | 'reasoning' | 'call'
  readonly tokens: number
  readonly unitPrice: Nano
  readonly amount: Nano
}

/** Outcome of a call. Written once per callId; the amount is the sum of the lines. */
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
  /** The vendor's own request id, '' if it gave none. */
  readonly upstreamRequestId: string
  readonly requestId: string
  /** Milliseconds from reading the head to the first byte and to the end. */
  readonly firstByteMs: number
  readonly totalMs: number
  /** Ids of objects that the vendor stores for this answer (kept/made-ids.ts). */
  readonly madeIds?: readonly string[] | undefined
}

export interface Journal {
  /**
   * Sets `amount` aside in memory against a lease; with `least`, only a part of it (`Lease.granted`) if the account has no more.
   * Synchronous while the lease covers it, else one database round trip.
   */
  admit(key: ApiKey, amount: Nano, least?: Nano): Lease | FundsRefusal | Promise<Lease | FundsRefusal>
  /** Amount that a refused account could have been granted, for the refusal's text. Absent in benches. */
  free?(accountId: bigint): Nano
  /** Releases the amount set aside for a call that is not made; writes nothing. Absent in benches, which request no quotes. */
  forgo?(lease: Lease, amount: Nano): void
  /**
   * Resolves when the row is durable. Rows of the same moment share one commit. Unless `soon`, the row may wait some milliseconds for a
   * settlement that replaces it: for answers that the client sees nothing of before they are settled.
   */
  reserve(call: ReservedCall, soon: boolean): Promise<void>
  /** True while the row has not been sent to the database. A settlement given now replaces it, and `reserve` resolves with it. */
  isWaiting(callId: string): boolean
  /** Resolves when the usage row and its charge to the lease are durable; the ledger follows within moments. Idempotent by callId. Retries until the database answers. */
  settle(call: SettledCall): Promise<void>
  /** Gives the money back for a call that used nothing. Resolves when durable. */
  release(call: ReservedCall, outcome: SettledCall['outcome'], status: number): Promise<void>
  /** Releases money that was admitted but never promised to a call, at once. Writes nothing. */
  giveBack(leaseId: bigint, amount: Nano): void
  /** Splits one admitted amount into two, each of which is settled or given back separately. */
  split(leaseId: bigint): void
  /** This process was declared dead while it held the lease: begin nothing new on it. */
  isLost(leaseId: bigint): boolean
}

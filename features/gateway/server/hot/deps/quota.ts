import type { BlockList } from 'node:net'
import type { Nano } from '#platform/shared/money.ts'

/** Switches that stop all calls of a key, regardless of its limits. */
export interface KeyStops {
  /** Switched off by its owner. */
  readonly disabled?: boolean
  /** Paused by operators. */
  readonly paused?: boolean
  /** Operators have frozen the calls of its account. */
  readonly callsFrozen?: boolean
  /** Unix milliseconds from which this secret of the key is refused, because another replaced it. */
  readonly replacedAt?: number
}

/** Limits that its owner set for a key. Undefined: no such limit. */
export interface KeyLimits extends KeyStops {
  /** Unix milliseconds from which the key is refused. */
  readonly expiresAt: number | undefined
  /** Model ids, `vendor/*`, or id prefixes followed by `*`. */
  readonly models: readonly string[] | undefined
  /** Networks from which it may be used. */
  readonly networks: BlockList | undefined
  /** True if calls are counted (requests, tokens, concurrent calls, dollars): such a call checks the `Quota` first. */
  readonly counted: boolean
  readonly requestsMinute: number | undefined
  readonly tokensMinute: number | undefined
  readonly atOnce: number | undefined
  /** True if it has a daily or monthly budget in dollars. */
  readonly budget: boolean
}

/** A call to be checked against its key's limits. */
export interface QuotaRequest {
  readonly callId: string
  readonly key: { readonly keyId: string; readonly limits?: KeyLimits | undefined }
  /** Maximum cost of the call; reserved against the key's budgets. */
  readonly held: Nano
  /** Smallest acceptable part. The call retries with less when a budget refuses it, so such a refusal is not reported. */
  readonly least?: Nano | undefined
  /** Typical tokens of such a call, input and output. */
  readonly tokens: number
  readonly startedAt: number
}

/** Use of a key in the current minute, for the vendors' headers; undefined without such a limit. */
export interface KeyMinuteUsage {
  readonly requests: Gauge | undefined
  readonly tokens: Gauge | undefined
}
export interface Gauge {
  readonly limit: number
  readonly left: number
  /** Milliseconds until all use of the minute has expired. */
  readonly resetMs: number
}

/** A counted call: it must be ended, once. */
export interface QuotaTake {
  readonly callId: string
  readonly keyId: string
  /** Store that counted it. */
  readonly store: 'postgres' | 'redis'
  /** Tokens counted at its beginning, and the second in which they were. */
  readonly tokens: number
  readonly second: number
}

export interface QuotaAnswer {
  /** Undefined if it does not fit. */
  readonly taken: QuotaTake | undefined
  readonly refusal: QuotaRefusal | undefined
  readonly standing: KeyMinuteUsage
}
export interface QuotaRefusal {
  readonly by: 'requests' | 'tokens' | 'concurrency' | 'day' | 'month'
  /** The limit in requests, tokens, calls or nano-dollars, and the part that is used or reserved. */
  readonly limit: bigint
  readonly used: bigint
  /** Undefined: waiting a minute does not help. */
  readonly retryMs: number | undefined
}

/** Counts calls of keys with counted limits, atomically across processes. Keys without them never get here. */
export interface KeyQuota {
  /** Rejects if counting is unavailable at the moment. */
  take(ask: QuotaRequest): Promise<QuotaAnswer>
  /** Returns the answer that `take` would give now, without taking anything. */
  ask(ask: QuotaRequest): Promise<QuotaAnswer>
  /** Ends a call whose usage row is durable; `tokens` is its actual use. Resolves when the next call can have its slot; never rejects. */
  end(taken: QuotaTake, tokens: number): Promise<void>
  /**
   * Renews the slot of a pending call: one without a row is considered lost after ten minutes. False if it is already gone. Call it every
   * few minutes; never rejects.
   */
  keep(taken: QuotaTake): Promise<boolean>
}

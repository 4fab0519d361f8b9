import type { BlockList } from 'node:net'
import type { Nano } from '#platform/shared/money.ts'

/** Switches that stop every call of a key, whatever it is allowed. */
export interface KeyStops {
  /** Switched off by its owner. */
  readonly disabled?: boolean
  /** Paused by operators. */
  readonly paused?: boolean
  /** Operators have frozen the calls of its account. */
  readonly callsFrozen?: boolean
  /** Unix milliseconds from which on this secret of the key is refused: another has taken its place. */
  readonly replacedAt?: number
}

/** The limits that its owner set for a key. Undefined: no such limit. */
export interface KeyLimits extends KeyStops {
  /** Unix milliseconds from which on it is refused. */
  readonly expiresAt: number | undefined
  /** Ids, `vendor/*`, or the beginning of ids followed by `*`. */
  readonly models: readonly string[] | undefined
  /** Networks that it may be used from. */
  readonly networks: BlockList | undefined
  /** True where calls are counted (requests, tokens, calls at once, dollars): such a call asks the `Quota` first. */
  readonly counted: boolean
  readonly requestsMinute: number | undefined
  readonly tokensMinute: number | undefined
  readonly atOnce: number | undefined
  /** It has a budget of dollars a day or a month. */
  readonly budget: boolean
}

/** A call that its key's limits are asked about. */
export interface QuotaRequest {
  readonly callId: string
  readonly key: { readonly keyId: string; readonly limits?: KeyLimits | undefined }
  /** The most it may cost; reserved against the key's budgets. */
  readonly held: Nano
  /** The least that the call can do with. It asks again with less when a budget refuses it: such a refusal is not reported. */
  readonly least?: Nano | undefined
  /** The tokens that such a call usually comes to, input and output. */
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
  /** Until nothing of the minute is used any more. */
  readonly resetMs: number
}

/** Counted: it must be ended, once. */
export interface QuotaTake {
  readonly callId: string
  readonly keyId: string
  /** The store that counted it. */
  readonly store: 'postgres' | 'redis'
  /** Tokens counted at its beginning, and in which second. */
  readonly tokens: number
  readonly second: number
}

export interface QuotaAnswer {
  /** Undefined when it does not fit. */
  readonly taken: QuotaTake | undefined
  readonly refusal: QuotaRefusal | undefined
  readonly standing: KeyMinuteUsage
}
export interface QuotaRefusal {
  readonly by: 'requests' | 'tokens' | 'concurrency' | 'day' | 'month'
  /** Requests, tokens, calls or nano-dollars: the limit, and what of it is used or reserved. */
  readonly limit: bigint
  readonly used: bigint
  /** Undefined: waiting a minute does not help. */
  readonly retryMs: number | undefined
}

/** Counts what keys with counted limits do, atomically across processes. Keys without them never come here. */
export interface KeyQuota {
  /** Rejects when nothing can be counted at the moment. */
  take(ask: QuotaRequest): Promise<QuotaAnswer>
  /** The answer that `take` would give now; nothing is taken. */
  ask(ask: QuotaRequest): Promise<QuotaAnswer>
  /** The call is over and its usage row durable; `tokens` is what it came to. Resolves when the next call can have its place; never rejects. */
  end(taken: QuotaTake, tokens: number): Promise<void>
  /**
   * Keeps the place of a call that is still to come: one without a row is taken for lost after ten minutes. False where it is gone already. To be
   * called every few minutes; never rejects.
   */
  keep(taken: QuotaTake): Promise<boolean>
}

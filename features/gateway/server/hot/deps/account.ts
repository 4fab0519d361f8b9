import type { Nano } from '#platform/shared/money.ts'
import type { KeyLimits } from './quota.ts'
import type { Surface } from './names.ts'

/** Limits of one account in this process; Infinity, or undefined for money, means unlimited. */
export interface AccountShare {
  /** Processes that share the limits, this one among them. */
  readonly nodes: number
  readonly requestsMinute: number
  readonly atOnce: number
  /** Money held by its calls under way. */
  readonly atRisk: Nano | undefined
}

/** A key as the relay sees it. `secretHash` is the hex SHA-256 of the secret. */
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
export interface RefusedCallRecord {
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

/** Balance and use of an account, in nano-dollars, as shown to holders of one of its keys. */
export interface Funds {
  /** Below zero where there is debt. */
  readonly balance: Nano
  /** Granted part of the balance. */
  readonly granted: Nano
  readonly usedThisMonth: Nano
  readonly usedByKey: Nano
  readonly keyName: string
  /** Undefined where the key may use all. */
  readonly keyModels: readonly string[] | undefined
  readonly keyExpiresAt: Date | undefined
}

import type { Nano } from '#platform/shared/money.ts'
import type { KeyLimits } from './quota.ts'
import type { Surface } from './names.ts'

/** Limits of one account in this process; Infinity, or undefined for money, means unlimited. */
export interface AccountShare {
  /** Processes that share the limits, including this one. */
  readonly nodes: number
  readonly requestsMinute: number
  readonly atOnce: number
  /** Money held by its open calls. */
  readonly atRisk: Nano | undefined
}

/** A key as the relay sees it. `secretHash` is the hex SHA-256 of the secret. */
export interface ApiKey {
  readonly keyId: string
  readonly userId: string
  readonly accountId: bigint
  readonly onDisconnect: 'abort' | 'drain'
  /** Calls of this account are read to their end when a client disconnects: an estimate was too low once (trust.ts). */
  readonly readsOn?: boolean
  /** Undefined on most keys: unused limits cost nothing. */
  readonly limits?: KeyLimits | undefined
  /** Written by its calls, read and emptied by the key store: address of the first call, model of the last one. */
  readonly seen?: { from: string; model: string }
  /** Hash of the presented secret, if that secret has been replaced and remains valid for a while. */
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
  /** A model of the catalogue; empty if the call named none. */
  readonly model: string
  readonly asked: string
  readonly message: string
  readonly field: string | undefined
}

/** Balance and use of an account, in nano-dollars, as shown to holders of one of its keys. */
export interface Funds {
  /** Negative if there is debt. */
  readonly balance: Nano
  /** Granted part of the balance. */
  readonly granted: Nano
  readonly usedThisMonth: Nano
  readonly usedByKey: Nano
  readonly keyName: string
  /** Undefined if the key may use all. */
  readonly keyModels: readonly string[] | undefined
  readonly keyExpiresAt: Date | undefined
}

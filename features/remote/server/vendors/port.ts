import type { SupplierTools } from '#platform/server/suppliers/tools.ts'
import type { ConfigShape } from '#platform/server/config.ts'

export type { ConfigShape }

/** A company that runs browsers outside our own machines. Starts are idempotent by key. Calls throw `SupplierError`. */
export interface RemoteSupplier {
  readonly name: string
  /** Starts a session. Its result is stored, so it must hold no secret. */
  start(key: string): Promise<StartedRemoteSession>
  /** Finds the session started under the key, after a lost response. */
  find(key: string): Promise<StartedRemoteSession | undefined>
  look(ref: string): Promise<'starting' | 'running' | 'gone'>
  /** URL at which the user sees the session. Holds a token: for the user only, never stored. */
  enter(key: string, ref: string): Promise<string>
  /** Keeps the session from timing out. */
  keepAlive(ref: string): Promise<void>
  /** Ends and wipes the session and anything else under the key. Idempotent: a missing session is no error. */
  end(key: string, ref: string | undefined): Promise<void>
}

export interface StartedRemoteSession {
  readonly ref: string
}

/** Reason of a retryable rejection: no place is free at the moment. */
export const NO_PLACE_REASON = 'no_place'

export interface RemoteSupplierVendor {
  readonly name: string
  readonly env: ConfigShape
  /** Returns undefined without credentials. */
  readonly connect: (config: Readonly<Record<string, unknown>>, tools: Pick<SupplierTools, 'fetch'>) => RemoteSupplier | undefined
}

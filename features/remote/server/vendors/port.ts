import type { SupplierVendor } from '#platform/server/suppliers/registry.ts'
import type { SupplierTools } from '#platform/server/suppliers/tools.ts'

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

export type RemoteSupplierVendor = SupplierVendor<RemoteSupplier, Pick<SupplierTools, 'fetch'>>

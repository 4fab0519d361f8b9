import type { Tx } from './database/transact.ts'

export interface SendOptions {
  readonly startAfterSeconds?: number
  readonly singletonKey?: string
  /** Whose job it is: see `JobSpec.atOnce`. What one group has waiting does not hold up another's. */
  readonly group?: string
  /** How often a job that throws is tried again. Pauses double from the first, or up to twice that by chance, to the longest. */
  readonly retry?: { readonly times: number; readonly firstSeconds: number; readonly longestSeconds: number }
}

export interface Jobs {
  /** Enqueues in the caller's transaction: the job exists if and only if the effect does. */
  send(tx: Tx, name: string, data: Record<string, unknown>, options?: SendOptions): Promise<void>
}

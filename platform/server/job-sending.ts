import type { Tx } from './database/transact.ts'

export interface SendOptions {
  readonly startAfterSeconds?: number
  readonly singletonKey?: string
  /** The job's owner for `JobSpec.atOnce`. A group's backlog does not delay other groups. */
  readonly group?: string
  /** Retries of a job that throws. The backoff doubles from the first pause to the longest, plus up to 100 % jitter. */
  readonly retry?: { readonly times: number; readonly firstSeconds: number; readonly longestSeconds: number }
}

/** A job with options for this one enqueueing. */
export interface NamedJob extends SendOptions {
  readonly name: string
}

export interface Jobs {
  /** Enqueues in the caller's transaction: the job exists if and only if the effect does. */
  send(tx: Tx, job: string | NamedJob, data: Record<string, unknown>): Promise<void>
}

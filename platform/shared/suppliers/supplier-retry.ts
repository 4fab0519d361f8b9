import type { SupplierErrorKind } from './supplier-error.ts'

/** The one retry policy for suppliers. */
export const SUPPLIER_RETRY = {
  firstSeconds: 2,
  /** Longest backoff between two tries of a call that did not happen. */
  capSeconds: 600,
  /** Longest backoff between two queries about a call that may have happened. */
  askCapSeconds: 3600,
  /** Time after which tries end and queries become a work item, unless the supplier names a final time. */
  finalHours: 24,
} as const

export interface RetryFacts {
  readonly kind: Exclude<SupplierErrorKind, 'rejected'>
  /** Tries so far, this one included. */
  readonly tries: number
  /** When the call was first made. */
  readonly since: Date
  readonly now: Date
  readonly retryAfterSeconds?: number | undefined
  /** The supplier's own final time, after which its answer no longer changes. */
  readonly finalAt?: Date | undefined
}

export interface RetryPlan {
  readonly nextCheckAt: Date
  readonly seconds: number
  /** Only for `retryable`: the call is given up, and the order ends with a refund. */
  readonly isOver: boolean
  /** Only for `unknown`: an operator must review it. Queries continue. */
  readonly needsOperator: boolean
}

/** Plans the next call or query, and when they end. */
export function planRetry({ kind, tries, since, now, retryAfterSeconds, finalAt }: RetryFacts): RetryPlan {
  const end = finalAt ?? new Date(since.getTime() + SUPPLIER_RETRY.finalHours * 3_600_000)
  const isLate = now >= end
  const cap = kind === 'retryable' ? SUPPLIER_RETRY.capSeconds : SUPPLIER_RETRY.askCapSeconds
  const backoff = Math.min(SUPPLIER_RETRY.firstSeconds * 2 ** Math.min(Math.max(tries, 1) - 1, 20), cap)
  const wished = Math.max(backoff, Math.min(retryAfterSeconds ?? 0, SUPPLIER_RETRY.askCapSeconds))
  // Shortens a long pause so that one check happens exactly at the end.
  const untilEnd = Math.ceil((end.getTime() - now.getTime()) / 1000)
  const seconds = isLate ? wished : Math.max(1, Math.min(wished, untilEnd))
  return {
    nextCheckAt: new Date(now.getTime() + seconds * 1000),
    seconds,
    isOver: kind === 'retryable' && isLate,
    needsOperator: kind === 'unknown' && isLate,
  }
}

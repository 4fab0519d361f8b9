/**
 * How a supplier call failed.
 * `rejected`: the supplier definitely refused; nothing changed there and repeating the call changes nothing.
 * `retryable`: nothing happened there; the same call is safe to repeat.
 * `unknown`: it may have happened; ask by key or reference, never guess.
 */
export type SupplierErrorKind = 'rejected' | 'retryable' | 'unknown'

export interface SupplierErrorFacts {
  /** Our code for the failure, snake_case: selects the user's text. */
  readonly reason: string
  /** The supplier's own message, for operators only. Never a credential or personal data. */
  readonly detail?: string | undefined
  /** Delay that the supplier requested, if any. */
  readonly retryAfterSeconds?: number | undefined
  /** The cause is our account there (credentials, balance, quota): an operator has to act. */
  readonly ours?: boolean | undefined
}

/** The only error that an adapter of a supplier throws on purpose. Any other error is treated as `unknown` (`outcomeOf`). */
export class SupplierError extends Error {
  readonly kind: SupplierErrorKind
  readonly reason: string
  readonly detail: string
  readonly retryAfterSeconds: number | undefined
  readonly ours: boolean
  constructor(kind: SupplierErrorKind, { reason, detail = '', retryAfterSeconds, ours = false }: SupplierErrorFacts) {
    super(`${kind}: ${reason}${detail && detail !== reason ? ` (${detail.slice(0, 300)})` : ''}`)
    this.name = 'SupplierError'
    this.kind = kind
    this.reason = reason
    this.detail = detail.slice(0, 300)
    this.retryAfterSeconds = retryAfterSeconds
    this.ours = ours
  }
}

export const rejectedError = (reason: string, detail?: string, facts: Partial<SupplierErrorFacts> = {}): SupplierError =>
  new SupplierError('rejected', { ...facts, reason, detail })
export const retryableError = (reason: string, detail?: string, facts: Partial<SupplierErrorFacts> = {}): SupplierError =>
  new SupplierError('retryable', { ...facts, reason, detail })
export const unknownError = (reason: string, detail?: string): SupplierError => new SupplierError('unknown', { reason, detail })

/** Meaning of a code that a vendor documents. */
export interface CodeMeaning {
  readonly kind: SupplierErrorKind
  readonly reason: string
  /** The cause is our account at the vendor. */
  readonly ours?: true
}
/** All documented codes of a vendor that an adapter understands: one table per vendor, with its source in a comment. */
export type VendorCodes = Readonly<Record<string, CodeMeaning>>

/** Returns the outcome of a documented code; undefined for a code that is not in the table. */
export function findCodeError(codes: VendorCodes, code: string, detail: string): SupplierError | undefined {
  const meaning = Object.hasOwn(codes, code) ? codes[code] : undefined
  return meaning && new SupplierError(meaning.kind, { reason: meaning.reason, detail, ours: meaning.ours })
}

/** Maps several codes to one meaning, for a table. */
export const mapCodes = (meaning: CodeMeaning, ...codes: readonly (string | number)[]): VendorCodes =>
  Object.fromEntries(codes.map((code) => [String(code), meaning]))

/** The outcome of a response that cannot be read or verified: a read can be repeated, a write may have happened. */
export const unreadableError = (writes: boolean, detail: string): SupplierError =>
  writes ? unknownError('unreadable', detail) : retryableError('unreadable', detail)

/** The supplier outcome of a caught error. Anything that is not a `SupplierError` (a bug, an unreadable response) is `unknown`. */
export function asSupplierError(error: unknown): SupplierError {
  return error instanceof SupplierError ? error : unknownError('unreadable', error instanceof Error ? `${error.name}: ${error.message}` : String(error))
}

export function isRejected(error: unknown): error is SupplierError {
  return error instanceof SupplierError && error.kind === 'rejected'
}

const NOTHING_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/** Returns the network code of an error or its causes, such as ECONNREFUSED or ECONNRESET; '' if there is none. */
export function findNetworkCode(error: unknown): string {
  for (let at = error, depth = 0; at !== null && typeof at === 'object' && depth < 5; depth++) {
    const { code, cause, errors } = at as { code?: unknown; cause?: unknown; errors?: readonly unknown[] }
    if (typeof code === 'string') return code
    // Node tries each address of a host and reports the failures together.
    at = cause ?? errors?.[0]
  }
  return ''
}

/** True when a connection failed before anything was sent; otherwise the supplier may have the request. */
export const wasNeverSent = (error: unknown): boolean => NOTHING_SENT.has(findNetworkCode(error))

/** The outcome of a call without a response. A lost read is safe to repeat; a lost write may have happened. */
export function lostCallError(error: unknown, { writes, timedOut = false }: { readonly writes: boolean; readonly timedOut?: boolean }): SupplierError {
  if (error instanceof SupplierError) return error
  const code = findNetworkCode(error) || (error instanceof Error ? error.name : 'no answer')
  if (wasNeverSent(error)) return retryableError('no_connection', code)
  const reason = timedOut ? 'no_answer' : 'connection_lost'
  return writes ? unknownError(reason, code) : retryableError(reason, code)
}

export interface FailedReply {
  readonly status: number
  /** The supplier's error code or a short message, for operators. */
  readonly said?: string
  /** Our reason, if the supplier's documentation defines this response as a definite refusal. */
  readonly refused?: string | undefined
  /** The call may have had an effect at the supplier. */
  readonly writes: boolean
  /** The header `retry-after`, '' if absent. */
  readonly retryAfter?: string
  readonly now?: Date
}

/** Classifies an unexpected HTTP response; the only place that does. An unreadable 200 counts as well: pass its status. */
export function failedReplyError({ status, said = '', refused, writes, retryAfter = '', now = new Date() }: FailedReply): SupplierError {
  const detail = `HTTP ${status}${said ? `, ${said}` : ''}`
  if (refused !== undefined) return rejectedError(refused, detail, { ours: status === 401 || status === 403 })
  if (status === 429) return retryableError('too_many', detail, { retryAfterSeconds: parseRetryAfterSeconds(retryAfter, now) })
  if (status === 401 || status === 403 || status === 407) return retryableError('our_account', detail, { ours: true })
  const reason = status >= 500 ? 'supplier_fault' : status >= 400 ? 'unexpected_refusal' : 'unreadable'
  return writes ? unknownError(reason, detail) : retryableError(reason, detail, { retryAfterSeconds: parseRetryAfterSeconds(retryAfter, now) })
}

/** Parses `Retry-After`: seconds or a date (RFC 9110, 10.2.3). Undefined if it is neither. */
export function parseRetryAfterSeconds(retryAfter: string, now: Date): number | undefined {
  if (/^\d{1,6}$/.test(retryAfter.trim())) return Number(retryAfter)
  const at = retryAfter ? Date.parse(retryAfter) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now.getTime()) / 1000))
}

import type { GatewayCall } from '../call.ts'
import { mapStatusToCause } from '../errors.ts'
import type { ApiErrorCause } from '../errors.ts'
import { parseRange, skipSpace } from '../json/scan.ts'
import { isRaw } from '../usage/usage.ts'
import type { Raw } from '../usage/usage.ts'

const OPEN_OBJECT = 123,
  OPEN_ARRAY = 91

/** Statuses of errors caused by the request, whose field the vendor names. Every other error is between the vendor and our account. */
const REQUEST_ERROR_STATUSES = new Set([400, 404, 413, 415, 422])

const CAUSE_MESSAGES: Readonly<Partial<Record<ApiErrorCause, string>>> = {
  upstream_busy: "The model's provider is taking no more requests at the moment. Try again shortly; nothing was charged.",
  upstream_overloaded: "The model's provider is overloaded at the moment. Try again shortly; nothing was charged.",
  upstream_timeout: "The model's provider took too long. Nothing was charged.",
}
const DEFAULT_MESSAGE = "The model's provider could not answer this request. Try again shortly; nothing was charged."

/** Vendor error as shown to the customer: the vendor's body without names of our account, or a cause in our words. */
export type VisibleError = { readonly body: Buffer } | { readonly cause: ApiErrorCause; readonly message: string }

export function buildVisibleError(call: GatewayCall, status: number, body: Buffer | undefined): VisibleError {
  if (REQUEST_ERROR_STATUSES.has(status) && body !== undefined && isVendorError(call, body)) return { body: redactAccount(body) }
  const cause = status === 401 || status === 402 || status === 403 || status < 400 ? 'upstream_failed' : mapStatusToCause(status)
  return { cause, message: CAUSE_MESSAGES[cause] ?? DEFAULT_MESSAGE }
}

/** True for JSON in the vendor's shape that concerns the customer's request. */
function isVendorError(call: GatewayCall, body: Buffer): boolean {
  const first = body[skipSpace(body, 0, body.length)]
  if (first !== OPEN_OBJECT && !(first === OPEN_ARRAY && call.rules!.surface === 'gemini')) return false
  const { foreignError } = call.rules!
  if (foreignError !== undefined) return foreignError(body) !== undefined
  const error = parseVendorError(body)
  return error !== undefined && !isAboutAccount(error)
}

/** Codes, types and statuses with which vendors report in a 400 or 404 that our key, plan or project is insufficient. */
const ACCOUNT_CODES = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
  'billing_not_active',
  'account_deactivated',
  'invalid_api_key',
  'invalid_organization',
  'organization_not_verified',
  'billing_error',
  'authentication_error',
  'permission_error',
  'UNAUTHENTICATED',
  'PERMISSION_DENIED',
  'FAILED_PRECONDITION',
  'RESOURCE_EXHAUSTED',
])
/** Anthropic reports an empty account with a plain 400, Google an invalid key with INVALID_ARGUMENT. */
const ACCOUNT_TEXT = /credit balance is too low|API key not valid|API_KEY_INVALID|organization must be verified/i

function isAboutAccount(error: Raw): boolean {
  for (const key of ['code', 'type', 'status']) if (ACCOUNT_CODES.has(String(error[key]))) return true
  return typeof error['message'] === 'string' && ACCOUNT_TEXT.test(error['message'])
}

/** True if our account at the vendor is empty, by the vendor's own error code. */
export function isOutOfCredit(body: Buffer | undefined): boolean {
  const error = body === undefined ? undefined : parseVendorError(body)
  return error !== undefined && (error['code'] === 'insufficient_quota' || error['type'] === 'insufficient_quota' || error['type'] === 'billing_error')
}

function parseVendorError(body: Buffer): Raw | undefined {
  const value = parseRange(body, { start: 0, end: body.length })
  const top: unknown = Array.isArray(value) ? value[0] : value
  const error = isRaw(top) ? top['error'] : undefined
  return isRaw(error) ? error : undefined
}

/**
 * Organisations, projects, workspaces, prefixes and suffixes of keys, service accounts: identifiers that vendors put into error messages.
 */
const REDACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\b(org|proj|wrkspc)[-_][A-Za-z0-9]{8,}/g, '$1-hidden'],
  [/\b(projects?(?:\/|[ _]?(?:number|id)?[ :='"]{1,4}))[a-z0-9][a-z0-9-]*\d[a-z0-9-]*/gi, '$1hidden'],
  [/\b(sk-|AIza)[A-Za-z0-9_*.-]{4,}/g, '$1hidden'],
  [/[\w.-]+@[\w.-]+\.iam\.gserviceaccount\.com/g, 'hidden'],
]

export function redactAccount(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1')
  const cleaned = redactNames(text)
  return cleaned === text ? bytes : Buffer.from(cleaned, 'latin1')
}

export function redactNames(text: string): string {
  return REDACTIONS.reduce((cleaned, [name, instead]) => cleaned.replace(name, instead), text)
}

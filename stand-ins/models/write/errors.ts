import type { Surface } from '../read/ask.ts'
import type { Json } from '../read/json.ts'

/** A refusal in the vendor's own words and shape. */
export interface ModelRefusal {
  readonly status: number
  readonly body: Json
}

export type Cause =
  | 'bad-request'
  | 'unauthorized'
  | 'no-credit'
  | 'forbidden'
  | 'not-found'
  | 'too-large'
  | 'rate-limit'
  | 'error'
  | 'unavailable'
  | 'overloaded'
  | 'timeout'
  | 'method'

/** Details the caller may add; `param` and `code` exist with OpenAI only. */
export interface Detail {
  readonly message?: string
  readonly param?: string
  readonly code?: string | null
  readonly requestId?: string
}

const MESSAGES: Readonly<Record<Cause, string>> = {
  'bad-request': 'The request is invalid.',
  'unauthorized': 'Incorrect API key provided.',
  'no-credit': 'The credit of this account is used up.',
  'forbidden': 'This key may not do that.',
  'not-found': 'There is no such resource.',
  'too-large': 'The request is too large.',
  'rate-limit': 'Too many requests. Try again later.',
  'error': 'The server had an error while processing the request.',
  'unavailable': 'The service is temporarily unavailable.',
  'overloaded': 'Overloaded',
  'timeout': 'The request timed out.',
  'method': 'This method is not allowed here.',
}

const OPENAI: Readonly<Record<Cause, readonly [number, string, string | null]>> = {
  'bad-request': [400, 'invalid_request_error', null],
  'unauthorized': [401, 'invalid_request_error', 'invalid_api_key'],
  'no-credit': [429, 'insufficient_quota', 'insufficient_quota'],
  'forbidden': [403, 'invalid_request_error', null],
  'not-found': [404, 'invalid_request_error', 'model_not_found'],
  'too-large': [413, 'invalid_request_error', null],
  'rate-limit': [429, 'requests', 'rate_limit_exceeded'],
  'error': [500, 'server_error', null],
  'unavailable': [503, 'server_error', null],
  'overloaded': [503, 'server_error', 'server_overloaded'],
  'timeout': [504, 'server_error', null],
  'method': [405, 'invalid_request_error', 'method_not_supported'],
}

const ANTHROPIC: Readonly<Record<Cause, readonly [number, string]>> = {
  'bad-request': [400, 'invalid_request_error'],
  'unauthorized': [401, 'authentication_error'],
  'no-credit': [402, 'billing_error'],
  'forbidden': [403, 'permission_error'],
  'not-found': [404, 'not_found_error'],
  'too-large': [413, 'request_too_large'],
  'rate-limit': [429, 'rate_limit_error'],
  'error': [500, 'api_error'],
  'unavailable': [503, 'api_error'],
  'overloaded': [529, 'overloaded_error'],
  'timeout': [504, 'timeout_error'],
  'method': [405, 'invalid_request_error'],
}

const GEMINI: Readonly<Record<Cause, readonly [number, string]>> = {
  'bad-request': [400, 'INVALID_ARGUMENT'],
  'unauthorized': [401, 'UNAUTHENTICATED'],
  'no-credit': [429, 'RESOURCE_EXHAUSTED'],
  'forbidden': [403, 'PERMISSION_DENIED'],
  'not-found': [404, 'NOT_FOUND'],
  'too-large': [413, 'INVALID_ARGUMENT'],
  'rate-limit': [429, 'RESOURCE_EXHAUSTED'],
  'error': [500, 'INTERNAL'],
  'unavailable': [503, 'UNAVAILABLE'],
  'overloaded': [503, 'UNAVAILABLE'],
  'timeout': [504, 'DEADLINE_EXCEEDED'],
  'method': [405, 'INVALID_ARGUMENT'],
}

export function refusal(surface: Surface, cause: Cause, detail: Detail = {}): ModelRefusal {
  const message = detail.message ?? MESSAGES[cause]
  if (surface === 'cohere') return { status: OPENAI[cause][0], body: { id: detail.requestId ?? null, message } }
  if (surface === 'openai') {
    const [status, type, code] = OPENAI[cause]
    return { status, body: { error: { message, type, param: detail.param ?? null, code: detail.code === undefined ? code : detail.code } } }
  }
  if (surface === 'anthropic') {
    const [status, type] = ANTHROPIC[cause]
    return { status, body: { type: 'error', error: { type, message }, request_id: detail.requestId ?? null } }
  }
  const [code, status] = GEMINI[cause]
  return { status: code, body: { error: { code, message, status } } }
}

/** Thrown by the dialect readers; the server writes it in the caller's shape. */
export class Refused extends Error {
  readonly reason: Cause
  readonly detail: Detail
  constructor(reason: Cause, detail: Detail = {}) {
    super(detail.message ?? MESSAGES[reason])
    this.reason = reason
    this.detail = detail
  }
}

export function refuse(message: string, more: Omit<Detail, 'message'> = {}, cause: Cause = 'bad-request'): never {
  throw new Refused(cause, { message, ...more })
}

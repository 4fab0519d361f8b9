import type { Surface } from './deps.ts'

/**
 * Errors in the caller's own dialect (wire.md 3, 4): OpenAI [status, type, code], Anthropic [status, type],
 * Gemini [status, grpc status]. `retry: false` becomes `x-should-retry: false`, which saves the SDKs' two retries.
 */
interface Spec {
  readonly openai: readonly [number, string, string | null]
  readonly anthropic: readonly [number, string]
  readonly gemini: readonly [number, string]
  readonly retry?: false
}

const invalid = (code: string | null, status = 400, anthropic = 'invalid_request_error', gemini = 'INVALID_ARGUMENT', retry?: false): Spec => ({
  openai: [status, 'invalid_request_error', code],
  anthropic: [status, anthropic],
  gemini: [status, gemini],
  retry,
})
const failed = (code: string, status: number, anthropicStatus: number, anthropic: string, gemini: string): Spec => ({
  openai: [status, 'server_error', code],
  anthropic: [anthropicStatus, anthropic],
  gemini: [status, gemini],
})
/** Builds a rate limit error, whose OpenAI `type` names the exceeded quantity. */
const limited = (type: string, code: string, retry?: false): Spec => ({
  openai: [429, type, code],
  anthropic: [429, 'rate_limit_error'],
  gemini: [429, 'RESOURCE_EXHAUSTED'],
  retry,
})

const SPECS = {
  no_key: invalid(null, 401, 'authentication_error', 'UNAUTHENTICATED', false),
  bad_key: invalid('invalid_api_key', 401, 'authentication_error', 'UNAUTHENTICATED', false),
  bad_json: invalid(null, 400, 'invalid_request_error', 'INVALID_ARGUMENT', false),
  bad_field: invalid('invalid_type', 400, 'invalid_request_error', 'INVALID_ARGUMENT', false),
  cannot_translate: invalid('unsupported_parameter', 400, 'invalid_request_error', 'INVALID_ARGUMENT', false),
  wrong_dialect: invalid('model_not_supported', 400, 'invalid_request_error', 'INVALID_ARGUMENT', false),
  no_model: invalid('model_not_found', 404, 'not_found_error', 'NOT_FOUND', false),
  no_route: invalid('unknown_url', 404, 'not_found_error', 'NOT_FOUND', false),
  not_served: invalid('not_supported', 404, 'not_found_error', 'NOT_FOUND', false),
  bad_encoding: invalid('unsupported_content_encoding', 415, 'invalid_request_error', 'INVALID_ARGUMENT', false),
  not_kept: invalid('unsupported_parameter', 400, 'invalid_request_error', 'INVALID_ARGUMENT', false),
  no_previous: invalid('previous_response_not_found', 400, 'invalid_request_error', 'INVALID_ARGUMENT', false),
  not_stored: invalid(null, 404, 'not_found_error', 'NOT_FOUND', false),
  no_method: invalid('method_not_supported', 405, 'invalid_request_error', 'INVALID_ARGUMENT', false),
  too_large: invalid('request_too_large', 413, 'request_too_large', 'INVALID_ARGUMENT', false),
  too_deep: invalid('request_too_deep', 400, 'invalid_request_error', 'INVALID_ARGUMENT', false),
  headers_too_large: invalid('headers_too_large', 431, 'invalid_request_error', 'INVALID_ARGUMENT', false),
  bad_request: invalid(null, 400, 'invalid_request_error', 'INVALID_ARGUMENT', false),
  body_timeout: invalid('request_timeout', 408, 'timeout_error', 'DEADLINE_EXCEEDED'),
  upgrade: invalid('websocket_not_supported', 426, 'invalid_request_error', 'UNIMPLEMENTED', false),
  unsupported: {
    openai: [501, 'invalid_request_error', 'not_supported'],
    anthropic: [501, 'invalid_request_error'],
    gemini: [501, 'UNIMPLEMENTED'],
    retry: false,
  },
  no_money: {
    openai: [429, 'insufficient_quota', 'credit_balance_exhausted'],
    anthropic: [402, 'billing_error'],
    gemini: [429, 'RESOURCE_EXHAUSTED'],
    retry: false,
  },
  key_disabled: invalid('api_key_disabled', 401, 'authentication_error', 'UNAUTHENTICATED', false),
  key_paused: invalid('api_key_paused', 401, 'authentication_error', 'UNAUTHENTICATED', false),
  calls_frozen: invalid('account_calls_frozen', 403, 'permission_error', 'PERMISSION_DENIED', false),
  key_expired: invalid('api_key_expired', 401, 'authentication_error', 'UNAUTHENTICATED', false),
  wrong_network: {
    openai: [401, 'invalid_request_error', 'ip_not_authorized'],
    anthropic: [403, 'permission_error'],
    gemini: [403, 'PERMISSION_DENIED'],
    retry: false,
  },
  model_not_allowed: invalid('model_not_allowed', 403, 'permission_error', 'PERMISSION_DENIED', false),
  too_many_requests: limited('requests', 'rate_limit_exceeded'),
  too_many_tokens: limited('tokens', 'rate_limit_exceeded'),
  too_many_at_once: limited('concurrency', 'rate_limit_exceeded'),
  larger_than_minute: limited('tokens', 'rate_limit_exceeded', false),
  day_budget: limited('insufficient_quota', 'key_day_budget_exceeded', false),
  month_budget: limited('insufficient_quota', 'key_month_budget_exceeded', false),
  unavailable: failed('service_unavailable', 503, 503, 'api_error', 'UNAVAILABLE'),
  upstream_busy: { openai: [429, 'rate_limit_exceeded', 'rate_limit_exceeded'], anthropic: [429, 'rate_limit_error'], gemini: [429, 'RESOURCE_EXHAUSTED'] },
  upstream_overloaded: failed('upstream_overloaded', 503, 529, 'overloaded_error', 'UNAVAILABLE'),
  upstream_failed: failed('upstream_failed', 502, 502, 'api_error', 'UNAVAILABLE'),
  upstream_unanswered: {
    openai: [504, 'server_error', 'upstream_unanswered'],
    anthropic: [504, 'timeout_error'],
    gemini: [504, 'DEADLINE_EXCEEDED'],
    retry: false,
  },
  upstream_timeout: failed('upstream_timeout', 504, 504, 'timeout_error', 'DEADLINE_EXCEEDED'),
} satisfies Record<string, Spec>

export type ApiErrorCause = keyof typeof SPECS
export const API_ERROR_CAUSES = Object.keys(SPECS) as readonly ApiErrorCause[]

/** A refusal before it is formatted. `field` becomes OpenAI's `param`. */
export interface RequestRefusal {
  readonly cause: ApiErrorCause
  readonly message: string
  readonly field?: string | undefined
  /** Delay before a retry, for Gemini's body. */
  readonly retryMs?: number | undefined
}

export interface RefusalResponse {
  readonly status: number
  readonly body: string
  readonly retry: boolean
}

export function formatRefusal(surface: Surface, refused: RequestRefusal, requestId: string): RefusalResponse {
  const spec: Spec = SPECS[refused.cause]
  const status = spec[surface][0]
  return { status, body: JSON.stringify(bodyFor(surface, spec, refused, requestId)), retry: spec.retry !== false }
}

/** Anthropic's `details.error_code`, for causes that its few error types do not distinguish. */
const DETAILS: Readonly<Partial<Record<ApiErrorCause, string>>> = {
  no_money: 'credit_balance_exhausted',
  key_disabled: 'api_key_disabled',
  key_paused: 'api_key_paused',
  calls_frozen: 'account_calls_frozen',
  key_expired: 'api_key_expired',
  wrong_network: 'ip_not_authorized',
  model_not_allowed: 'model_not_allowed',
  too_many_requests: 'requests_per_minute',
  too_many_tokens: 'tokens_per_minute',
  larger_than_minute: 'tokens_per_minute',
  too_many_at_once: 'concurrent_requests',
  day_budget: 'enforced_spend_limit_reached',
  month_budget: 'enforced_spend_limit_reached',
}
/** Gemini's ErrorInfo reasons that differ from our cause. */
const REASONS: Readonly<Partial<Record<ApiErrorCause, string>>> = {
  no_money: 'CREDIT_BALANCE_EXHAUSTED',
  bad_key: 'API_KEY_INVALID',
  no_key: 'API_KEY_INVALID',
  key_disabled: 'API_KEY_DISABLED',
  key_paused: 'API_KEY_PAUSED',
  calls_frozen: 'ACCOUNT_CALLS_FROZEN',
  key_expired: 'API_KEY_EXPIRED',
  wrong_network: 'API_KEY_IP_ADDRESS_BLOCKED',
  model_not_allowed: 'API_KEY_SERVICE_BLOCKED',
  too_many_requests: 'RATE_LIMIT_EXCEEDED',
  too_many_tokens: 'RATE_LIMIT_EXCEEDED',
  larger_than_minute: 'RATE_LIMIT_EXCEEDED',
  too_many_at_once: 'RATE_LIMIT_EXCEEDED',
}

function bodyFor(surface: Surface, spec: Spec, refused: RequestRefusal, requestId: string): object {
  const message = refused.message
  if (surface === 'openai') return { error: { message, type: spec.openai[1], param: refused.field ?? null, code: spec.openai[2] } }
  if (surface === 'anthropic') {
    const code = DETAILS[refused.cause]
    const details = code === undefined ? {} : { details: { error_code: code } }
    return { type: 'error', error: { type: spec.anthropic[1], message, ...details }, request_id: requestId }
  }
  const details =
    refused.field === undefined
      ? reasonDetail(refused)
      : [
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            'fieldViolations': [{ field: refused.field, description: message }],
          },
        ]
  return { error: { code: spec.gemini[0], message, status: spec.gemini[1], details } }
}

function reasonDetail({ cause, retryMs }: RequestRefusal): readonly object[] {
  const reason = REASONS[cause] ?? cause.toUpperCase()
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, 'domain': 'mingxi' }
  if (retryMs === undefined) return [info]
  return [info, { '@type': 'type.googleapis.com/google.rpc.RetryInfo', 'retryDelay': `${Math.ceil(retryMs / 1000)}s` }]
}

/** Maps an upstream's failure to our cause, if its own body cannot be passed on. */
export function mapStatusToCause(status: number): ApiErrorCause {
  if (status === 429) return 'upstream_busy'
  if (status === 529 || status === 503) return 'upstream_overloaded'
  if (status === 504 || status === 408) return 'upstream_timeout'
  return 'upstream_failed'
}

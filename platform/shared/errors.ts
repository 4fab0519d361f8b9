/** How an error travels: its number in the envelope and the HTTP status it sets (200 for a business refusal). */
export interface ErrorSpec {
  readonly code: number
  readonly status: number
}

export type Errors = Readonly<Record<string, ErrorSpec>>

/** A feature's errors. Every name needs the text `error_<NAME>` in both languages (see texts.ts). */
export function defineErrors<const E extends Errors>(errors: E): E {
  return errors
}

/** Errors that any endpoint can return. Numbers are from product.md 1.8, if listed there. */
export const commonErrors = defineErrors({
  BAD_INPUT: { code: 400, status: 400 },
  SESSION_EXPIRED: { code: 401, status: 401 },
  /** The session was ended from another one; `data.reason` is `elsewhere`. */
  SIGNED_OUT_ELSEWHERE: { code: 1005, status: 401 },
  FORBIDDEN: { code: 403, status: 403 },
  NOT_FOUND: { code: 404, status: 404 },
  TOO_LARGE: { code: 413, status: 413 },
  TOO_MANY: { code: 429, status: 429 },
  INTERNAL: { code: 500, status: 500 },
  UNAVAILABLE: { code: 503, status: 503 },
  TIMEOUT: { code: 504, status: 504 },
  IDEMPOTENCY_KEY_REQUIRED: { code: 4001, status: 400 },
  IDEMPOTENCY_KEY_REUSED: { code: 4002, status: 409 },
  IDEMPOTENCY_IN_PROGRESS: { code: 4003, status: 409 },
  /** Operators have switched this action off (`flag` of the endpoint). */
  FEATURE_OFF: { code: 4031, status: 403 },
  /** An operator views the account: changes are refused, and data meant only for the customer is hidden. */
  VIEW_ONLY: { code: 4032, status: 403 },
  /** The call has no captcha proof, or a wrong, used or expired one: request a new one (features/risk). */
  CAPTCHA_REQUIRED: { code: 2500, status: 200 },
})

/** The error that verbs throw. `data` is sent to the caller: never put another user's data or a secret in it. */
export class Failure extends Error {
  readonly errorName: string
  readonly data: Record<string, unknown> | undefined
  constructor(errorName: string, data?: Record<string, unknown>) {
    super(errorName)
    this.errorName = errorName
    this.data = data
  }
}

/** Throws a declared error by name; data fills the text's {placeholders}. */
export function fail(errorName: string, data?: Record<string, unknown>): never {
  throw new Failure(errorName, data)
}

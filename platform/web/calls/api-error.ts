/** Network errors have no envelope: these codes are ours, and negative so that they cannot collide with a server's code. */
export const NETWORK_DOWN = -1
export const TIMED_OUT = -2
export const BAD_REPLY = -3

/** A refusal or a failure of a platform call. `message` is ready to show, in the user's language. */
export interface ApiError extends Error {
  readonly kind: 'ApiError'
  readonly code: number
  /** The error's name in the feature's error list, if declared there. */
  readonly errorName: string | undefined
  readonly requestId: string | undefined
  readonly data: unknown
}

export function createApiError(message: string, fields: Pick<ApiError, 'code'> & Partial<Pick<ApiError, 'errorName' | 'requestId' | 'data'>>): ApiError {
  return Object.assign(new Error(message), {
    kind: 'ApiError' as const,
    errorName: undefined,
    requestId: undefined,
    data: undefined,
    ...fields,
  })
}

export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && (error as Partial<ApiError>).kind === 'ApiError'
}

/** True if the server may or may not have acted: the caller may retry with the same idempotency key. */
export function isUncertain(error: unknown): boolean {
  return isApiError(error) && (error.code < 0 || (error.code >= 500 && error.code < 600) || error.code === 4003)
}

import { defineErrors } from '#platform/shared/errors.ts'

export const supportErrors = defineErrors({
  /** Too many messages in a minute, or conversations in an hour. `retryAfterSeconds`. */
  SUPPORT_TOO_FAST: { code: 3301, status: 429 },
})

import { defineErrors } from '#platform/shared/errors.ts'

export const supportErrors = defineErrors({
  /** So many messages in a minute, conversations in an hour. `retryAfterSeconds`. */
  SUPPORT_TOO_FAST: { code: 3301, status: 429 },
})

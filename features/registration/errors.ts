import { defineErrors } from '#platform/shared/errors.ts'

export const registrationErrors = defineErrors({
  /** Only digits, shorter than 12 characters, or contains the account's name. */
  REGISTRATION_PASSWORD_WEAK: { code: 3741, status: 200 },
  /** The desk, whose operators do this, is closed until `data.opens`. */
  REGISTRATION_CLOSED: { code: 3742, status: 200 },
  REGISTRATION_UNKNOWN: { code: 3743, status: 404 },
  /** Only a failed order can be retried. */
  REGISTRATION_NOT_FAILED: { code: 3744, status: 200 },
  /** The password of the failed attempt was deleted; a new one is required. */
  REGISTRATION_PASSWORD_GONE: { code: 3745, status: 200 },
})

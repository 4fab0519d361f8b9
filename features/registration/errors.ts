import { defineErrors } from '#platform/shared/errors.ts'

export const registrationErrors = defineErrors({
  /** Only digits, shorter than twelve, or the name of the account in it. */
  REGISTRATION_PASSWORD_WEAK: { code: 3741, status: 200 },
  /** A person does it, and nobody is there until `data.opens`. */
  REGISTRATION_CLOSED: { code: 3742, status: 200 },
  REGISTRATION_UNKNOWN: { code: 3743, status: 404 },
  /** Only what failed is tried again. */
  REGISTRATION_NOT_FAILED: { code: 3744, status: 200 },
  /** The password of the failed try was deleted; a new one is needed. */
  REGISTRATION_PASSWORD_GONE: { code: 3745, status: 200 },
})

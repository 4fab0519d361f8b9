import { defineErrors } from '#platform/shared/errors.ts'

/**
 * Errors that block a card until the identity is checked; features that call identity's door spread them. Numbers below 3000 are fixed by the
 * product.
 */
export const identityGateErrors = defineErrors({
  /** The face check is not passed; it is the user's next step. */
  FACE_NOT_PASSED: { code: 2112, status: 200 },
  /** The person does not match the identity number. */
  IDENTITY_MISMATCH: { code: 2139, status: 200 },
  /** No face checks left for now; `data.retryAt`. */
  FACE_LIMIT: { code: 2216, status: 200 },
  /** No attempts without a face check left for now; `data.retryAt`. */
  NO_FACE_LIMIT: { code: 2408, status: 200 },
  /** An earlier step is open; `data.step`. */
  IDENTITY_STEP_MISSING: { code: 3651, status: 200 },
  IDENTITY_US_TAXPAYER: { code: 3652, status: 200 },
  IDENTITY_IN_REVIEW: { code: 3653, status: 200 },
  IDENTITY_REJECTED: { code: 3654, status: 200 },
})

export const identityErrors = defineErrors({
  ...identityGateErrors,
  IDENTITY_TOO_YOUNG: { code: 3655, status: 200 },
  /** The typed name differs from the paper; `data.typed`, `data.paper`. */
  NAME_MISMATCH: { code: 3656, status: 200 },
  POSTAL_CODE_WRONG: { code: 3657, status: 200 },
  /** `data.fields`: fields that were not sure and are not confirmed. */
  CONFIRM_MISSING: { code: 3658, status: 200 },
  /** `data.purposes`: missing pictures. */
  PAPER_MISSING: { code: 3659, status: 200 },
  /** `data.is`: the kind that the picture shows instead. */
  WRONG_PAPER: { code: 3660, status: 200 },
  PAPER_EXPIRED: { code: 3661, status: 200 },
  UPLOAD_REFUSED: { code: 3662, status: 200 },
  UPLOAD_NOT_FOUND: { code: 3663, status: 200 },
  READER_AWAY: { code: 3664, status: 200 },
  FACE_AWAY: { code: 3665, status: 200 },
  CHECK_NOT_FOUND: { code: 3666, status: 200 },
  IDENTITY_DONE: { code: 3667, status: 200 },
  /** The check needs a resident identity card. */
  FACE_NEEDS_IDCARD: { code: 3668, status: 200 },
  /** `data.signs`: characters of the address without a Latin form. */
  ADDRESS_UNREADABLE: { code: 3669, status: 200 },
  /** The face check vendor rejects this name and number. */
  FACE_REFUSED: { code: 3670, status: 200 },
})

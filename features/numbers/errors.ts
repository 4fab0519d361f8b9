import { defineErrors } from '#platform/shared/errors.ts'

export const numberErrors = defineErrors({
  /** Numbers require a working card. */
  NUMBER_NEEDS_CARD: { code: 3791, status: 200 },
  /** No use is left: `data.price` for `data.count` more. */
  NUMBER_NO_USES: { code: 3792, status: 200 },
  /** A user has one waiting number at a time; `data.id`. */
  NUMBER_ONE_AT_A_TIME: { code: 3793, status: 200 },
  /** Too many numbers given back within an hour, for which suppliers close accounts. */
  NUMBER_TOO_MANY_CANCELLED: { code: 3794, status: 200 },
  /** The service or country is not offered. */
  NUMBER_NOT_OFFERED: { code: 3795, status: 200 },
  NUMBER_UNKNOWN: { code: 3796, status: 404 },
  /** It has a message or has ended, so it cannot be given back. */
  NUMBER_ENDED: { code: 3797, status: 200 },
})

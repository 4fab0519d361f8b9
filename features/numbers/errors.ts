import { defineErrors } from '#platform/shared/errors.ts'

export const numberErrors = defineErrors({
  /** Numbers come with a card that works. */
  NUMBER_NEEDS_CARD: { code: 3791, status: 200 },
  /** No use is left: `data.price` for `data.count` more. */
  NUMBER_NO_USES: { code: 3792, status: 200 },
  /** One number is waited for at a time; `data.id`. */
  NUMBER_ONE_AT_A_TIME: { code: 3793, status: 200 },
  /** So many given back within an hour: suppliers close accounts over it. */
  NUMBER_TOO_MANY_CANCELLED: { code: 3794, status: 200 },
  /** That service or country is not offered. */
  NUMBER_NOT_OFFERED: { code: 3795, status: 200 },
  NUMBER_UNKNOWN: { code: 3796, status: 404 },
  /** A message is there, or it has ended: it cannot be given back. */
  NUMBER_ENDED: { code: 3797, status: 200 },
})

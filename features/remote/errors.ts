import { defineErrors } from '#platform/shared/errors.ts'

export const remoteErrors = defineErrors({
  /** It comes with a card that works. */
  REMOTE_NEEDS_CARD: { code: 3801, status: 200 },
  /** No machine runs one now; nothing was begun. */
  REMOTE_NOT_OFFERED: { code: 3802, status: 200 },
  /** One at a time. */
  REMOTE_GOES_ON: { code: 3803, status: 200 },
  /** Nothing goes on that this could be done with. */
  REMOTE_NONE: { code: 3804, status: 200 },
  /** It is not there yet: `data.state`. */
  REMOTE_NOT_READY: { code: 3805, status: 200 },
  /** A session is not made longer than `data.minutes`. */
  REMOTE_TOO_LONG: { code: 3806, status: 200 },
  /** Who runs it does not answer now; nothing was charged. */
  REMOTE_UNREACHABLE: { code: 3783, status: 200 },
  /** `data.most` places were held and not used within a day: nothing new is held before one of them is a day old. */
  REMOTE_TOO_OFTEN: { code: 3784, status: 200 },
})

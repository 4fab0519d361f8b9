import { defineErrors } from '#platform/shared/errors.ts'

export const remoteErrors = defineErrors({
  /** Remote browsers require a working card. */
  REMOTE_NEEDS_CARD: { code: 3801, status: 200 },
  /** No machine runs remote browsers now; nothing was started. */
  REMOTE_NOT_OFFERED: { code: 3802, status: 200 },
  /** A user has one session at a time. */
  REMOTE_GOES_ON: { code: 3803, status: 200 },
  /** The user has no live session. */
  REMOTE_NONE: { code: 3804, status: 200 },
  /** The browser is not ready yet; `data.state` is the session's state. */
  REMOTE_NOT_READY: { code: 3805, status: 200 },
  /** A session lasts `data.minutes` at most. */
  REMOTE_TOO_LONG: { code: 3806, status: 200 },
  /** The supplier does not respond; nothing was charged. */
  REMOTE_UNREACHABLE: { code: 3783, status: 200 },
  /** The user left `data.most` places unused within 24 hours; the next order is accepted when the oldest of them is a day old. */
  REMOTE_TOO_OFTEN: { code: 3784, status: 200 },
})

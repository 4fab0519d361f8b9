import { defineErrors } from '#platform/shared/errors.ts'

export const flexErrors = defineErrors({
  /** No seat is free: the number pool of the platform is used up. */
  FLEX_SOLD_OUT: { code: 3721, status: 200 },
  /** Another package is in use on the platform; `data.product`. */
  FLEX_OTHER_PACKAGE: { code: 3722, status: 200 },
  FLEX_TRIAL_USED: { code: 3723, status: 200 },
  /** No subscription is in use on the platform. */
  FLEX_NOT_IN_USE: { code: 3724, status: 200 },
  FLEX_CODE_UNKNOWN: { code: 3725, status: 200 },
  /** The discount applies to the first subscription only. */
  FLEX_CODE_USED: { code: 3726, status: 200 },
  FLEX_SUPPLIER_AWAY: { code: 3727, status: 200 },
  FLEX_VOICE_OFF: { code: 3728, status: 200 },
  FLEX_NO_EXTENSION: { code: 3729, status: 200 },
  /** The daily limit of trials is reached. */
  FLEX_TRIALS_OVER: { code: 3730, status: 200 },
  /** The room, or the server's rooms in total, are full. */
  FLEX_VOICE_FULL: { code: 3711, status: 200 },
  /** The token has expired, the subscription has ended, or the room has closed. */
  FLEX_VOICE_GONE: { code: 3712, status: 200 },
  /** The browser’s SDP offer is invalid. */
  FLEX_VOICE_OFFER: { code: 3713, status: 200 },
})

import { defineErrors } from '#platform/shared/errors.ts'

export const invitationErrors = defineErrors({
  /** An invite code was taken already, the account is too old for one, or it has paid. */
  INVITE_CLOSED: { code: 1026, status: 200 },
  /** No such code, or one's own. */
  INVITE_UNKNOWN: { code: 3401, status: 200 },
  /** Somebody has this code, or one that looks like it. */
  INVITE_CODE_USED: { code: 3402, status: 200 },
  /** The own code was chosen already. */
  INVITE_CODE_CHOSEN: { code: 3403, status: 200 },
  /** Nothing can be moved or withdrawn. */
  REWARD_NONE: { code: 3404, status: 200 },
  /** What is available is another sum than the one that was shown. */
  REWARD_CHANGED: { code: 3406, status: 200 },
  /** Rewards leave once a month; payments says so of the reward purse. */
  WITHDRAW_ONCE_A_MONTH: { code: 3408, status: 200 },
  /** Another negotiated rate of the inviter holds in that time. */
  RATE_OVERLAPS: { code: 3407, status: 200 },
  /** `min`, `missing`: too little to withdraw. */
  REWARD_TOO_SMALL: { code: 3405, status: 200 },
})

import { defineErrors } from '#platform/shared/errors.ts'

export const invitationErrors = defineErrors({
  /** The user already used an invite code, is too old for one, or has paid. */
  INVITE_CLOSED: { code: 1026, status: 200 },
  /** Unknown code, or the user's own. */
  INVITE_UNKNOWN: { code: 3401, status: 200 },
  /** The code, or a similar-looking one, is taken. */
  INVITE_CODE_USED: { code: 3402, status: 200 },
  /** The user already has a custom code. */
  INVITE_CODE_CHOSEN: { code: 3403, status: 200 },
  /** Nothing can be moved or withdrawn. */
  REWARD_NONE: { code: 3404, status: 200 },
  /** The available amount differs from the one shown. */
  REWARD_CHANGED: { code: 3406, status: 200 },
  /** Rewards can be withdrawn once a month; payments returns it for the reward source. */
  WITHDRAW_ONCE_A_MONTH: { code: 3408, status: 200 },
  /** The period overlaps another negotiated rate of the inviter. */
  RATE_OVERLAPS: { code: 3407, status: 200 },
  /** `min`, `missing`: too little to withdraw. */
  REWARD_TOO_SMALL: { code: 3405, status: 200 },
})

import { z } from 'zod'
import { usdText } from '#platform/shared/contract.ts'
import { paymentErrors } from '#features/payments/errors.ts'
import { invitationErrors } from './errors.ts'
import { REWARD_LIST_FILTERS, normalizeInviteCode, REWARD_KINDS, REWARD_REASONS, REWARD_STATES } from './words.ts'

/** A code as typed or from a link; anything else cannot be a code. */
export const anyCode = z
  .string()
  .trim()
  .regex(/^[\w-]{1,64}$/)
/** Custom code: 3 to 10 capitals and digits. */
export const ownCode = z
  .string()
  .max(40)
  .transform(normalizeInviteCode)
  .refine((code) => /^[A-Z0-9]{3,10}$/.test(code))
const cursor = z
  .string()
  .regex(/^\d{1,18}$/)
  .optional()
export const cursorPaging = { cursor, pageSize: z.coerce.number().int().min(1).max(100).default(20) }
const count = z.number().int()

/** Rules for new relations. Amounts in dollars; null switches a part off. */
export const invitationRules = z.object({
  version: count,
  since: z.string(),
  reward: usdText,
  discount: usdText,
  threshold: usdText,
  holdDays: count,
  keepDays: count,
  /** Working days until a review is decided. */
  reviewDays: count,
  inviterCap: usdText,
  withdrawMin: usdText,
  tiers: z.array(z.object({ from: count, reward: usdText })).nullable(),
  second: usdText.nullable(),
  cashbackPercent: z.string().nullable(),
})
export type InvitationRules = z.output<typeof invitationRules>

export const rewardRow = z.object({
  id: z.string(),
  createdTime: z.string(),
  /** Masked: a***n@gmail.com, 138****0071. */
  invited: z.string(),
  orderNo: z.string(),
  /** Cash payment on which the reward is based. */
  base: usdText,
  amount: usdText,
  rewardType: z.enum(REWARD_KINDS),
  /** `deposited` once the reward is in the reward account. */
  status: z.enum(['pending', 'deposited']),
  state: z.enum(REWARD_STATES),
  reason: z.enum(REWARD_REASONS),
  ruleVersion: count,
  /** Explanation of the amount. */
  rate: z.string(),
  availableTime: z.string(),
  changedTime: z.string(),
})
export type RewardRow = z.output<typeof rewardRow>

export const listReply = z.object({ rowList: z.array(rewardRow), nextCursor: z.string().nullable(), counts: z.record(z.enum(REWARD_LIST_FILTERS), count) })

export const invitationStat = z.object({
  inviteCode: z.string(),
  /** Number of people who used the code, and of those with a qualifying payment. */
  totalNumber: count,
  rechargedNumber: count,
  /** Sum of all rewards that were not refused or clawed back. */
  rewardAmount: usdText,
  directNumber: count,
  directReward: usdText,
  secondNumber: count,
  secondReward: usdText,
  pendingAmount: usdText,
  withdrawableAmount: usdText,
})

export const invitationInfo = invitationStat.extend({
  /** The generated code and the custom one; links use the newest. */
  madeCode: z.string(),
  ownCode: z.string().nullable(),
  link: z.string(),
  rules: invitationRules,
  pendingNumber: count,
  firstAvailableTime: z.string().nullable(),
  paidNumber: count,
  heldNumber: count,
  backNumber: count,
  /** Rewards are under manual review; the signal is not disclosed. */
  underReview: z.boolean(),
  /** Budget of the month is used up until this time. */
  fullUntil: z.string().nullable(),
  withdrawMissing: usdText,
  quarter: z.object({ from: z.string(), to: z.string(), number: count, rate: usdText, next: z.object({ missing: count, rate: usdText }).nullable() }),
  /** Rate negotiated with this inviter; replaces the rules' reward until this day, inclusive. */
  ownRate: z.object({ reward: usdText, until: z.string() }).nullable(),
  /** End of the period in which the user can still enter a code. */
  codeUntil: z.string().nullable(),
})
export type InvitationInfo = z.output<typeof invitationInfo>

/** Errors of invitations, and those of the payment password and withdrawals that its calls use. */
export const invitationCallErrors = { ...paymentErrors, ...invitationErrors }

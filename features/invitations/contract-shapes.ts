import { z } from 'zod'
import { usdText } from '#platform/shared/contract.ts'
import { paymentErrors } from '#features/payments/errors.ts'
import { invitationErrors } from './errors.ts'
import { LIST_FILTERS, plainCode, REWARD_KINDS, REWARD_REASONS, REWARD_STATES } from './words.ts'

/** What people type or follow; what cannot be a code is no code of anybody. */
export const anyCode = z
  .string()
  .trim()
  .regex(/^[\w-]{1,64}$/)
/** One's own choice: 3 to 10 capitals and digits. */
export const ownCode = z
  .string()
  .max(40)
  .transform(plainCode)
  .refine((code) => /^[A-Z0-9]{3,10}$/.test(code))
const cursor = z
  .string()
  .regex(/^\d{1,18}$/)
  .optional()
export const paging = { cursor, pageSize: z.coerce.number().int().min(1).max(100).default(20) }
const count = z.number().int()

/** What holds for new relations now. Amounts in dollars; what is null is off. */
export const rules = z.object({
  version: count,
  since: z.string(),
  reward: usdText,
  discount: usdText,
  threshold: usdText,
  holdDays: count,
  keepDays: count,
  /** Working days in which a review is decided. */
  reviewDays: count,
  inviterCap: usdText,
  withdrawMin: usdText,
  tiers: z.array(z.object({ from: count, reward: usdText })).nullable(),
  second: usdText.nullable(),
  cashbackPercent: z.string().nullable(),
})
export type Rules = z.output<typeof rules>

export const rewardRow = z.object({
  id: z.string(),
  createdTime: z.string(),
  /** Masked: a***n@gmail.com, 138****0071. */
  invited: z.string(),
  orderNo: z.string(),
  /** Cash that it rests on. */
  base: usdText,
  amount: usdText,
  rewardType: z.enum(REWARD_KINDS),
  /** Whether it has reached the reward account. */
  status: z.enum(['pending', 'deposited']),
  state: z.enum(REWARD_STATES),
  reason: z.enum(REWARD_REASONS),
  ruleVersion: count,
  /** How the amount came about. */
  rate: z.string(),
  availableTime: z.string(),
  changedTime: z.string(),
})
export type RewardRow = z.output<typeof rewardRow>

export const listReply = z.object({ rowList: z.array(rewardRow), nextCursor: z.string().nullable(), counts: z.record(z.enum(LIST_FILTERS), count) })

export const stat = z.object({
  inviteCode: z.string(),
  /** Everybody who came with a code, and those whose payment counted. */
  totalNumber: count,
  rechargedNumber: count,
  /** All rewards that were not refused or taken back. */
  rewardAmount: usdText,
  directNumber: count,
  directReward: usdText,
  secondNumber: count,
  secondReward: usdText,
  pendingAmount: usdText,
  withdrawableAmount: usdText,
})

export const info = stat.extend({
  /** Codes: the platform's, and one's own choice. The newest stands in links. */
  madeCode: z.string(),
  ownCode: z.string().nullable(),
  link: z.string(),
  rules,
  pendingNumber: count,
  firstAvailableTime: z.string().nullable(),
  paidNumber: count,
  heldNumber: count,
  backNumber: count,
  /** A person looks at it; which signal it was is not told. */
  underReview: z.boolean(),
  /** The month's places are taken until then. */
  fullUntil: z.string().nullable(),
  withdrawMissing: usdText,
  quarter: z.object({ from: z.string(), to: z.string(), number: count, rate: usdText, next: z.object({ missing: count, rate: usdText }).nullable() }),
  /** Negotiated with this inviter: it holds in place of the rules' reward, until that day included. */
  ownRate: z.object({ reward: usdText, until: z.string() }).nullable(),
  /** A code can still be given, until then. */
  codeUntil: z.string().nullable(),
})
export type InvitationInfo = z.output<typeof info>

/** Its own, and those of what its calls go through: the payment password, withdrawals. */
export const allErrors = { ...paymentErrors, ...invitationErrors }

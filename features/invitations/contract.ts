import { z } from 'zod'
import { defineContract, nothing, usdText } from '#platform/shared/contract.ts'
import { amount } from '#features/payments/contract.ts'
import { alipayIdentity, alipayRealName, identityNumber, withdrawalRow } from '#features/payments/contract-withdraw.ts'
import { paymentErrors } from '#features/payments/errors.ts'
import { invitationErrors } from './errors.ts'
import { LIST_FILTERS, plainCode, REWARD_KINDS, REWARD_REASONS, REWARD_STATES } from './words.ts'

/** What people type or follow; what cannot be a code is no code of anybody. */
const anyCode = z
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
const paging = { cursor, pageSize: z.coerce.number().int().min(1).max(100).default(20) }
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

const listReply = z.object({ rowList: z.array(rewardRow), nextCursor: z.string().nullable(), counts: z.record(z.enum(LIST_FILTERS), count) })

const stat = z.object({
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
  /** A code can still be given, until then. */
  codeUntil: z.string().nullable(),
})
export type InvitationInfo = z.output<typeof info>

/** Its own, and those of what its calls go through: the payment password, withdrawals. */
export const allErrors = { ...paymentErrors, ...invitationErrors }

export const invitationsContract = defineContract(allErrors)({
  info: {
    method: 'GET',
    path: '/invitation/info',
    access: 'user',
    summary: 'Own code and link, rules in force, sums and counts: all of them sums of rows',
    input: nothing,
    reply: info,
    errors: [],
  },
  list: {
    method: 'POST',
    path: '/invitation/list',
    access: 'user',
    summary: 'Rewards, newest first, by state',
    input: z.object({ filter: z.enum(LIST_FILTERS).default('all'), ...paging }),
    reply: listReply,
    errors: [],
  },
  chooseCode: {
    method: 'POST',
    path: '/invitation/code',
    access: 'user',
    summary: 'Chooses the own code, once; the one made by the platform stays good',
    input: z.object({ code: ownCode }),
    reply: z.object({ code: z.string() }),
    errors: ['INVITE_CODE_USED', 'INVITE_CODE_CHOSEN'],
  },
  landing: {
    method: 'GET',
    path: '/invitation/landing',
    access: 'public',
    summary: 'What a code is worth to who follows it; nothing about who sent it',
    input: z.object({ code: anyCode }),
    reply: z.object({ valid: z.boolean(), code: z.string(), discount: usdText, feePercent: z.string(), min: usdText }),
    errors: [],
  },
  withdrawal: {
    method: 'POST',
    path: '/invitation/withdrawal',
    flag: 'withdrawal',
    access: 'user',
    summary: 'Withdraws all available rewards to an Alipay account; asks for the payment password',
    idempotency: 'required',
    input: z
      .object({
        /** What the page showed; the withdrawal is refused when it is another by now. */
        amount: amount.optional(),
        /** 2: rewards. The balance (1) is withdrawn with `balanceRefund`. */
        withdrawType: z.coerce.number().pipe(z.literal(2)).default(2),
        alipayIdentity: alipayIdentity.optional(),
        alipayRealName: alipayRealName.optional(),
        identityNumber: identityNumber.optional(),
        payPassword: z.string().regex(/^\d{6}$/),
      })
      .refine((input) => (input.alipayIdentity === undefined) === (input.alipayRealName === undefined), { path: ['alipayRealName'] }),
    reply: withdrawalRow,
    errors: [
      'REWARD_NONE',
      'REWARD_CHANGED',
      'REWARD_TOO_SMALL',
      'PAY_PASSWORD_NOT_SET',
      'PAY_PASSWORD_WRONG',
      'PAY_PASSWORD_LOCKED',
      'PAY_PASSWORD_BLOCKED',
      'WITHDRAW_LIMIT',
      'WITHDRAW_CHANNEL_LIMIT',
      'WITHDRAW_PAUSED',
      'WITHDRAW_CLOSED',
      'WITHDRAW_NOT_CREDITED',
      'WITHDRAW_OPEN',
      'WITHDRAW_ONCE_A_MONTH',
      'PAYOUT_ACCOUNT_NEEDED',
    ],
  },
  getInvitationRewardStat: {
    method: 'GET',
    path: '/v1/fission/getInvitationRewardStat',
    access: 'user',
    summary: 'Sums and counts of the own rewards',
    input: nothing,
    reply: stat,
    errors: [],
  },
  getInvitationReward: {
    method: 'GET',
    path: '/v1/fission/getInvitationReward',
    access: 'user',
    summary: 'What can be moved or withdrawn now, what waits, and what stands in the way',
    input: nothing,
    reply: z.object({ available: usdText, pending: usdText, withdrawMin: usdText, withdrawMissing: usdText, underReview: z.boolean() }),
    errors: [],
  },
  invitationRewardWithdraw: {
    method: 'POST',
    path: '/v1/fission/invitationRewardWithdraw',
    access: 'user',
    summary: 'Moves all available rewards into the balance, where they can be spent and not withdrawn',
    idempotency: 'required',
    /** What the page showed; nothing moves when it is another by now. */
    input: z.object({ amount: amount.optional() }),
    reply: z.object({ amount: usdText, balance: usdText }),
    errors: ['REWARD_NONE', 'REWARD_CHANGED'],
  },
  listInvitation: {
    method: 'GET',
    path: '/v1/fission/listInvitation',
    access: 'user',
    summary: 'Rewards for people invited directly',
    input: z.object(paging),
    reply: listReply,
    errors: [],
  },
  listSecondInvitation: {
    method: 'GET',
    path: '/v1/fission/listSecondInvitation',
    access: 'user',
    summary: 'Rewards for people invited by those; empty while the rules have no second level',
    input: z.object(paging),
    reply: listReply,
    errors: [],
  },
  listTieredInvitation: {
    method: 'GET',
    path: '/v1/fission/listTieredInvitation',
    access: 'user',
    summary: 'Rewards whose rate a tier of the quarter raised; empty while the rules have no tiers',
    input: z.object(paging),
    reply: listReply,
    errors: [],
  },
  listCashback: {
    method: 'GET',
    path: '/v1/fission/listCashback',
    access: 'user',
    summary: 'Rewards that are a share of the payment; empty while the rules have none',
    input: z.object(paging),
    reply: listReply,
    errors: [],
  },
  updateInvitation: {
    method: 'POST',
    path: '/v1/fission/updateInvitation',
    access: 'user',
    summary: 'Gives the code one was invited with, once, within a day of registering and before the first payment',
    input: z.object({ inviteCode: anyCode }),
    reply: nothing,
    errors: ['INVITE_CLOSED', 'INVITE_UNKNOWN'],
  },
  inviteCode: {
    method: 'POST',
    path: '/user/inviteCode',
    access: 'user',
    summary: 'The invite code that a new user came with; a later, second or unknown one is not taken, and that is no error',
    /** 2: the invitation of a user by a user; there is no other yet. */
    input: z.object({ inviteCode: anyCode, invitationType: z.coerce.number().pipe(z.literal(2)).default(2) }),
    reply: z.object({ accepted: z.boolean() }),
    errors: [],
  },
  updateInvitedCode: {
    method: 'POST',
    path: '/user/updateInvitedCode',
    access: 'user',
    summary: 'An invite code typed by hand, as `updateInvitation`',
    input: z.object({ inviteCode: anyCode }),
    reply: nothing,
    errors: ['INVITE_CLOSED', 'INVITE_UNKNOWN'],
  },
})

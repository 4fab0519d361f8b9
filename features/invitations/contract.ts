import { z } from 'zod'
import { defineContract, emptyReply, usdText } from '#platform/shared/contract.ts'
import { amount } from '#features/payments/contract-shapes.ts'
import { alipayIdentity, alipayRealName, identityNumberSchema, withdrawalRowSchema } from '#features/payments/contract-withdraw.ts'
import { invitationCallErrors, anyCode, invitationInfo, listReply, ownCode, cursorPaging } from './contract-shapes.ts'
import { REWARD_LIST_FILTERS } from './words.ts'

export const invitationsContract = defineContract(invitationCallErrors)({
  info: {
    method: 'GET',
    path: '/invitation/info',
    access: 'user',
    summary: 'Own code and link, rules in force, sums and counts: all of them sums of rows',
    input: emptyReply,
    reply: invitationInfo,
    errors: [],
  },
  list: {
    method: 'POST',
    path: '/invitation/list',
    access: 'user',
    summary: 'Rewards, newest first, by state',
    input: z.object({ filter: z.enum(REWARD_LIST_FILTERS).default('all'), ...cursorPaging }),
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
    summary: 'Worth of a code to the invited user; nothing about its sender',
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
    idempotency: 'optional',
    input: z
      .object({
        /** Amount shown on the page; the withdrawal is refused if the available amount differs. */
        amount: amount.optional(),
        /** 2: rewards. The balance (1) is withdrawn with `balanceRefund`. */
        withdrawType: z.coerce.number().pipe(z.literal(2)).default(2),
        alipayIdentity: alipayIdentity.optional(),
        alipayRealName: alipayRealName.optional(),
        identityNumber: identityNumberSchema.optional(),
        payPassword: z.string().regex(/^\d{6}$/),
      })
      .refine((input) => (input.alipayIdentity === undefined) === (input.alipayRealName === undefined), { path: ['alipayRealName'] }),
    reply: withdrawalRowSchema,
    errors: [
      'REWARD_NONE',
      'REWARD_CHANGED',
      'REWARD_TOO_SMALL',
      'PAY_PASSWORD_NOT_SET',
      'PAY_PASSWORD_WRONG',
      'PAY_PASSWORD_LOCKED',
      'PAY_PASSWORD_BLOCKED',
      'MONEY_OUT_FROZEN',
      'DEBT_FIRST',
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
})

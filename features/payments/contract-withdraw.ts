import { z } from 'zod'
import { defineContract, usdText } from '#platform/shared/contract.ts'
import { amount, minorAmount, orderNoSchema, payMethod } from './contract-shapes.ts'
import { paymentErrors } from './errors.ts'
import { PAY_CURRENCY_CODES, PAYOUT_CURRENCY } from './contract-currencies.ts'
import { REFUND_STATES } from './words.ts'
import { ALIPAY_ACCOUNT, isIdentityNumber, REAL_NAME, WITHDRAWAL_STATES } from './words-out.ts'

export const withdrawalNo = z.string().regex(/^W\d{8}-[0-9A-Z]{12}$/)
const rate = z.string().regex(/^\d{1,4}\.\d{1,6}$/)
const state = z.enum(WITHDRAWAL_STATES)
/** Alipay sign-in name. */
export const alipayIdentity = z.string().trim().max(100).regex(ALIPAY_ACCOUNT)
export const alipayRealName = z.string().trim().max(50).regex(REAL_NAME)
/** Resident identity number, including its check digit. */
export const identityNumberSchema = z
  .string()
  .trim()
  .toUpperCase()
  .refine((text) => isIdentityNumber(text))

/** Payout account, always masked: `alipay` 138****8000, `name` *明, `identityNumber` 1101**********002X. */
const payoutAccount = z.object({ alipay: z.string(), name: z.string(), identityNumber: z.string(), changedTime: z.string() })

/** Refund of one source order at that order's rate. `payAmount` is in the currency of the payment. */
const partFigures = { orderNo: orderNoSchema, transactionType: payMethod, amount: usdText, payAmount: minorAmount, payCurrency: z.enum(PAY_CURRENCY_CODES) }

/** Transfer to the user's Alipay account. */
const transfer = z.object({ amount: usdText, payAmount: minorAmount })

export const withdrawalRowSchema = z.object({
  withdrawalNo,
  /** Source of the money: 1 balance, 2 rewards. */
  withdrawType: z.union([z.literal(1), z.literal(2)]),
  /** Dollars debited from the source. */
  amount: usdText,
  /** `amount` in yuan at the rate frozen with the request: the sum received if all of it is transferred to Alipay. */
  payAmount: minorAmount,
  payCurrency: z.literal(PAYOUT_CURRENCY),
  rate,
  state,
  /** 0 in progress, 1 success, 2 failed or cancelled. */
  withdrawStatus: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  /** Masked, as in the quote. */
  account: z.object({ alipay: z.string(), name: z.string() }),
  /** True while an operator holds it: no approval and no payout meanwhile. */
  held: z.boolean().default(false),
  /** Reason for the failure, the suffix of a text `withdraw_reason_<reason>`; '' otherwise. */
  reason: z.string(),
  /** Dollars that pay a debt or a charged-back payment instead of leaving. In the detail view of one withdrawal, the current figure. */
  taken: usdText.default('0'),
  /** For rewards that have not left, in the detail view only: dollars that the user owes and must settle first. */
  owed: usdText.optional(),
  cancellable: z.boolean(),
  createdTime: z.string(),
  /** Earliest payout time: a day after the payout account was changed. */
  payAfterTime: z.string().nullable(),
  finishedTime: z.string().nullable(),
  /** Refunds started by the withdrawal, source channel first; filled once it begins to leave. A `failed` one is transferred instead. */
  parts: z.array(z.object({ refundNo: z.string(), ...partFigures, state: z.enum(REFUND_STATES) })).optional(),
  /** Null until the transfer is sent, and if none is needed. */
  transfer: transfer.nullable().optional(),
  /** For a withdrawal that has not begun to leave, in the detail view only: how it would leave now. */
  plan: z.object({ parts: z.array(z.object(partFigures)), transfer: transfer.nullable() }).optional(),
})
export type WithdrawalRow = z.output<typeof withdrawalRowSchema>

/** Withdrawals: unspent purchased credit is refunded over its original payments, the rest transferred to the user's Alipay account. */
export const withdrawContract = defineContract(paymentErrors)({
  withdrawQuote: {
    method: 'GET',
    path: '/v1/userWrapperApi/withdrawQuote',
    access: 'user',
    summary: 'The amount that can be withdrawn now, its way, and obstacles',
    input: z.object({ amount: amount.optional() }),
    reply: z.object({
      balance: usdText,
      /** Dollars in whole cents: unspent purchased credit less the minimum balance, within the daily and monthly limits. */
      withdrawable: usdText,
      granted: usdText,
      /** Minimum that must stay in the balance. */
      keep: usdText,
      min: usdText,
      /** Remaining daily and monthly limits. */
      dayLeft: usdText,
      monthLeft: usdText,
      rate,
      /** Payout for `amount`, or for the whole withdrawable sum; null if below the minimum or above the maximum. */
      payAmount: minorAmount.nullable(),
      /** Planned split: refunds of source orders, newest payment first, then a transfer of the rest. */
      parts: z.array(z.object(partFigures)).optional(),
      /** Null when channels refund the whole amount. */
      transfer: transfer.nullable().optional(),
      /** True when channels refund the whole amount. A payout account is stored anyway, as the fallback of a failed refund. */
      fullWithdraw: z.boolean().optional(),
      /** Null when the user must still enter account, name and identity number. */
      account: payoutAccount.nullable(),
      /** No payout before this time: the payout account was changed less than a day ago. */
      coolOffUntil: z.string().nullable(),
      /** Amounts above this need an operator's approval. */
      approvalAbove: usdText,
      /** Error that a request would return now. */
      blocked: z
        .enum([
          'MONEY_OUT_FROZEN',
          'DEBT_FIRST',
          'WITHDRAW_CLOSED',
          'WITHDRAW_PAUSED',
          'WITHDRAW_CHANNEL_LIMIT',
          'WITHDRAW_NOT_CREDITED',
          'WITHDRAW_OPEN',
          'WITHDRAW_LIMIT',
          'WITHDRAW_TOO_SMALL',
        ])
        .nullable(),
      resumes: z.string().nullable(),
      /** Debt of the balance and of cards, rounded up to the cent. The next top-up pays it; no withdrawal leaves while it exists. */
      owed: usdText,
      /** The withdrawal in progress. */
      open: withdrawalRowSchema.nullable(),
    }),
    errors: [],
  },
  balanceRefund: {
    method: 'POST',
    path: '/v1/userWrapperApi/balanceRefund',
    flag: 'withdrawal',
    access: 'user',
    summary: 'Withdraws balance to an Alipay account; all that can be unless an amount is named; asks for the payment password',
    idempotency: 'required',
    input: z
      .object({
        amount: amount.optional(),
        /** Account and name together, or neither to use the stored ones. A change blocks payouts for a day. */
        alipayIdentity: alipayIdentity.optional(),
        alipayRealName: alipayRealName.optional(),
        /** Required with a new account or name. */
        identityNumber: identityNumberSchema.optional(),
        payPassword: z.string().regex(/^\d{6}$/),
      })
      .refine((input) => (input.alipayIdentity === undefined) === (input.alipayRealName === undefined), { path: ['alipayRealName'] }),
    reply: withdrawalRowSchema,
    errors: [
      'PAY_PASSWORD_NOT_SET',
      'PAY_PASSWORD_WRONG',
      'PAY_PASSWORD_LOCKED',
      'PAY_PASSWORD_BLOCKED',
      'MONEY_OUT_FROZEN',
      'DEBT_FIRST',
      'WITHDRAW_TOO_LARGE',
      'WITHDRAW_TOO_SMALL',
      'WITHDRAW_LIMIT',
      'WITHDRAW_CHANNEL_LIMIT',
      'WITHDRAW_PAUSED',
      'WITHDRAW_CLOSED',
      'WITHDRAW_NOT_CREDITED',
      'WITHDRAW_OPEN',
      'PAYOUT_ACCOUNT_NEEDED',
    ],
  },
  withdrawalList: {
    method: 'GET',
    path: '/v1/userWrapperApi/withdrawalList',
    access: 'user',
    summary: 'Withdrawals of the user, newest first',
    input: z.object({
      cursor: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional(),
      pageSize: z.coerce.number().int().min(1).max(100).default(20),
    }),
    reply: z.object({ rowList: z.array(withdrawalRowSchema), nextCursor: z.string().nullable() }),
    errors: [],
  },
  withdrawalDetail: {
    method: 'GET',
    path: '/v1/userWrapperApi/withdrawalDetail',
    access: 'user',
    summary: 'One withdrawal with its timeline, oldest first',
    input: z.object({ withdrawalNo }),
    reply: withdrawalRowSchema.extend({
      timeline: z.array(z.object({ at: z.string(), state, reason: z.string(), by: z.enum(['user', 'operator', 'system']) })),
    }),
    errors: ['WITHDRAWAL_NOT_FOUND'],
  },
  cancelWithdrawal: {
    method: 'POST',
    path: '/v1/userWrapperApi/cancelWithdrawal',
    access: 'user',
    summary: 'Gives up a withdrawal that has not left; the money is available again at once',
    input: z.object({ withdrawalNo }),
    reply: withdrawalRowSchema,
    errors: ['WITHDRAWAL_NOT_FOUND', 'WITHDRAWAL_DECIDED'],
  },
})

import { z } from 'zod'
import { defineContract, usdText } from '#platform/shared/contract.ts'
import { walletErrors } from './errors.ts'

/** Dollars as decimal text. `balance` = available + held; debt shows in `owed`, and then nothing is available. */
export const BalanceInfo = z.object({
  balance: usdText,
  available: usdText,
  held: usdText,
  granted: usdText,
  owed: usdText,
  totalRechargeAmount: usdText,
  totalConsumedAmount: usdText,
  /** The whole balance can be withdrawn: no part of it is granted, held or owed. */
  fullWithdraw: z.boolean(),
})
export type BalanceInfo = z.infer<typeof BalanceInfo>

/** One entry of the user's account: `amount` has a sign, `balance` is the balance after it. `at` is epoch milliseconds. */
export const WalletStatementRow = z.object({ seq: z.string(), kind: z.string(), ref: z.string(), amount: usdText, balance: usdText, at: z.number() })
export type WalletStatementRow = z.infer<typeof WalletStatementRow>

export const walletContract = defineContract(walletErrors)({
  balanceInfo: {
    method: 'GET',
    path: '/v1/userWrapperApi/balanceInfo',
    access: 'user',
    summary: 'Balance and totals of the API account',
    input: z.object({}),
    reply: BalanceInfo,
    errors: [],
  },
  statement: {
    method: 'GET',
    path: '/user/statement',
    access: 'user',
    summary: 'Entries of the balance, newest first',
    input: z.object({
      before: z
        .string()
        .regex(/^[1-9]\d{0,17}$/)
        .optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    /** `next` is the `before` of the following page; absent at the end. */
    reply: z.object({ rowList: z.array(WalletStatementRow), next: z.string().optional() }),
    errors: [],
  },
})

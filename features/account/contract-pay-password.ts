import { z } from 'zod'
import { defineContract, emptyReply } from '#platform/shared/contract.ts'
import { commonErrors } from '#platform/shared/errors.ts'
import { payPasswordField, verifyCode } from './contract-fields.ts'
import { accountErrors } from './errors.ts'

/** Result of a payment password comparison (product.md 1.4). Also 3, whatever was typed, while the password must be reset. */
export const PAY_RESULT = { success: 0, notSet: 1, wrong: 2, limitExceeded: 3 } as const
const payResult = z.object({
  resultType: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  /** Wrong attempts since the last correct one or the last reset: 0 to 5. */
  failCount: z.number(),
})
export type PayResult = z.output<typeof payResult>

/** `sendPayPasswordCode` and `sendOwnCode` (contract-security.ts) send the codes. */
export const payPasswordContract = defineContract({ ...commonErrors, ...accountErrors })({
  setPayPassword: {
    method: 'POST',
    path: '/account/setPayPassword',
    access: 'user',
    summary: 'Sets the first payment password, with a code (purpose payPassword)',
    input: z.object({ password: payPasswordField, verifyCode }),
    reply: emptyReply,
    errors: ['CODE_WRONG', 'PAY_PASSWORD_EXISTS', 'PAY_PASSWORD_WEAK'],
  },
  verifyPayPassword: {
    method: 'POST',
    path: '/account/verifyPayPassword',
    access: 'user',
    summary: 'Compares a payment password; counts a wrong one',
    input: z.object({ password: payPasswordField }),
    reply: payResult,
    errors: [],
  },
  modifyPayPassword: {
    method: 'POST',
    path: '/account/modifyPayPassword',
    access: 'user',
    summary: 'Changes the payment password with the old one; a wrong old one is counted and is no error',
    input: z.object({ oldPassword: payPasswordField, password: payPasswordField }),
    reply: payResult,
    errors: ['PAY_PASSWORD_WEAK'],
  },
  resetPayPassword: {
    method: 'POST',
    path: '/account/resetPayPassword',
    access: 'user',
    summary: 'Sets a new payment password with a code (purpose payPassword), also after too many wrong tries',
    input: z.object({ password: payPasswordField, verifyCode }),
    reply: emptyReply,
    errors: ['CODE_WRONG', 'PAY_PASSWORD_WEAK', 'PAY_PASSWORD_NOT_SET', 'PAY_PASSWORD_BLOCKED'],
  },
})

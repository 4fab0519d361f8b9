import { startAlipay } from '#stand-ins/alipay/index.ts'
import { startNihaopay } from '#stand-ins/nihaopay/index.ts'
import { startStripePayments } from '#stand-ins/stripe/payments/index.ts'
import { startWechatPay } from '#stand-ins/wechat-pay/index.ts'
import type { PaymentCompany } from '#stand-ins/kit/payments.ts'

export interface PaymentCompanyEntry {
  /** Name of the channel's folder. */
  readonly name: string
  readonly make: (options: { readonly now: () => Date; readonly notifyUrl: () => string }) => Promise<PaymentCompany>
  /** A method of the channel. */
  readonly transactionType: number
  /** Credentials of the fake that the channel also starts without. */
  readonly optional?: readonly string[]
  /** Credentials of any format: a malformed one cannot be recognized. */
  readonly free?: readonly string[]
  /** Responses to the reads that precede a refund, by path. */
  readonly prelude?: (path: string) => string | undefined
  /** Status and body of a documented refusal. */
  readonly refusal?: readonly [number, string]
}

/** The fakes of all real channels, one line each. The tests that concern every channel run over this list. */
export const PAYMENT_COMPANIES: readonly PaymentCompanyEntry[] = [
  { name: 'alipay', make: startAlipay, transactionType: 1, optional: ['ALIPAY_AGREEMENT_PRODUCT'] },
  { name: 'wechat-pay', make: startWechatPay, transactionType: 2, optional: ['WECHAT_PAY_PUBLIC_KEYS'], refusal: [400, '{"code":"PARAM_ERROR"}'] },
  {
    name: 'nihaopay',
    make: startNihaopay,
    transactionType: 3,
    free: ['NIHAOPAY_TOKENS'],
    // Refunds are identified by their sum, so a refund starts with a lookup.
    prelude: (path) => (path.includes('/transactions/refunds/') ? '{"id":"pi_1","currency":"USD","refunds":[]}' : undefined),
  },
  {
    name: 'stripe',
    make: startStripePayments,
    transactionType: 5,
    refusal: [400, '{"error":{"type":"invalid_request_error","code":"amount_too_small"}}'],
  },
]

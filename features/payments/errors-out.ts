import { defineErrors } from '#platform/shared/errors.ts'
import { payoutErrors } from '#features/account/errors.ts'
import { debtErrors } from '#features/wallet/errors.ts'

/** Refusals of money out (withdrawals) and of paper (receipts, invoices). */
export const outErrors = defineErrors({
  ...payoutErrors,
  ...debtErrors,
  /** `max`: what can be withdrawn now; one dollar always stays. */
  WITHDRAW_TOO_LARGE: { code: 3130, status: 200 },
  /** `min`: the smallest withdrawal. */
  WITHDRAW_TOO_SMALL: { code: 3131, status: 200 },
  /** `left`: remaining limit of the day or the month. */
  WITHDRAW_LIMIT: { code: 3132, status: 200 },
  /** The daily limit of all users together is used up. `resumes`: when withdrawals reopen, Shanghai time. */
  WITHDRAW_CHANNEL_LIMIT: { code: 3133, status: 200 },
  /** Paused over the Spring Festival; `resumes`: the first day after it. */
  WITHDRAW_PAUSED: { code: 3134, status: 200 },
  WITHDRAW_CLOSED: { code: 3135, status: 200 },
  /** A payment was received and is not credited yet. */
  WITHDRAW_NOT_CREDITED: { code: 3136, status: 200 },
  /** One withdrawal at a time. */
  WITHDRAW_OPEN: { code: 3137, status: 200 },
  /** No payout account is kept yet: name, identity number and Alipay account are needed. */
  PAYOUT_ACCOUNT_NEEDED: { code: 3138, status: 200 },
  WITHDRAWAL_NOT_FOUND: { code: 3139, status: 200 },
  WITHDRAWAL_DECIDED: { code: 3140, status: 200 },
  /** Requesters cannot approve their own withdrawal. */
  WITHDRAWAL_OWN: { code: 3141, status: 200 },
  /** An operator has put it on hold: it is not approved before it is released. */
  WITHDRAWAL_HELD: { code: 3142, status: 200 },
  WITHDRAWAL_NOT_HELD: { code: 3143, status: 200 },
  /** Before January 2023 or after the current month. */
  INVOICE_MONTH: { code: 3150, status: 200 },
  /** No payment in that month, or all of them were refunded. */
  INVOICE_EMPTY: { code: 3151, status: 200 },
  /** `max`: how often the invoice of one month can be reissued. */
  INVOICE_REISSUED: { code: 3152, status: 200 },
  /** `fee`: price of the invoice, which the user must accept before it is issued. */
  INVOICE_FEE: { code: 3155, status: 200 },
  /** A request for the month waits at the desk already. */
  INVOICE_ASKED: { code: 3156, status: 200 },
  /** The request does not exist, or the desk or the customer has closed it. */
  INVOICE_REQUEST_ENDED: { code: 3157, status: 200 },
  PAPER_NOT_FOUND: { code: 3153, status: 200 },
  /** The order received no money, or all of it was refunded. */
  RECEIPT_NOT_READY: { code: 3154, status: 200 },
})

import { defineErrors } from '#platform/shared/errors.ts'
import { payPasswordErrors, payoutErrors } from '#features/account/errors.ts'
import { debtErrors } from '#features/wallet/errors.ts'

/** Errors of withdrawals and of papers (receipts, invoices). */
const outErrors = defineErrors({
  ...payoutErrors,
  ...debtErrors,
  /** `max`: dollars that can be withdrawn now; one dollar must always stay. */
  WITHDRAW_TOO_LARGE: { code: 3130, status: 200 },
  /** `min`: the smallest withdrawal. */
  WITHDRAW_TOO_SMALL: { code: 3131, status: 200 },
  /** `left`: remaining daily or monthly limit. */
  WITHDRAW_LIMIT: { code: 3132, status: 200 },
  /** The daily limit of all users together is used up. `resumes`: when withdrawals reopen, Shanghai time. */
  WITHDRAW_CHANNEL_LIMIT: { code: 3133, status: 200 },
  /** Paused over the Spring Festival; `resumes`: the first day after it. */
  WITHDRAW_PAUSED: { code: 3134, status: 200 },
  WITHDRAW_CLOSED: { code: 3135, status: 200 },
  /** A payment was received and is not credited yet. */
  WITHDRAW_NOT_CREDITED: { code: 3136, status: 200 },
  /** Only one withdrawal at a time is allowed. */
  WITHDRAW_OPEN: { code: 3137, status: 200 },
  /** No payout account is stored: name, identity number and Alipay account are needed. */
  PAYOUT_ACCOUNT_NEEDED: { code: 3138, status: 200 },
  WITHDRAWAL_NOT_FOUND: { code: 3139, status: 200 },
  WITHDRAWAL_DECIDED: { code: 3140, status: 200 },
  /** Requesters cannot approve their own withdrawal. */
  WITHDRAWAL_OWN: { code: 3141, status: 200 },
  /** An operator has put the withdrawal on hold: it cannot be approved until released. */
  WITHDRAWAL_HELD: { code: 3142, status: 200 },
  WITHDRAWAL_NOT_HELD: { code: 3143, status: 200 },
  /** Month before January 2023 or after the current month. */
  INVOICE_MONTH: { code: 3150, status: 200 },
  /** No payment in that month, or all of them were refunded. */
  INVOICE_EMPTY: { code: 3151, status: 200 },
  /** `max`: how often the invoice of one month can be reissued. */
  INVOICE_REISSUED: { code: 3152, status: 200 },
  /** `fee`: price of the invoice, which the user must accept before it is issued. */
  INVOICE_FEE: { code: 3155, status: 200 },
  /** A request for the month is already waiting at the desk. */
  INVOICE_ASKED: { code: 3156, status: 200 },
  /** The request does not exist, or the desk or the customer has closed it. */
  INVOICE_REQUEST_ENDED: { code: 3157, status: 200 },
  PAPER_NOT_FOUND: { code: 3153, status: 200 },
  /** The order received no money, or was refunded in full. */
  RECEIPT_NOT_READY: { code: 3154, status: 200 },
})

/** Errors of auto recharge. */
const autoErrors = defineErrors({
  /** An operator has switched auto recharge off. */
  AUTO_CLOSED: { code: 3160, status: 200 },
  /** Auto recharge is already on, or not on: the page is outdated. */
  AUTO_CHANGED: { code: 3161, status: 200 },
  /** The consent text has changed since the page was loaded. */
  AUTO_CONSENT: { code: 3162, status: 200 },
  /** `min`, `max`: bounds of the ceiling. */
  AUTO_CEILING: { code: 3163, status: 200 },
})

/** Business errors are returned as HTTP 200 with their code. */
export const paymentErrors = defineErrors({
  ORDER_NOT_FOUND: { code: 3101, status: 200 },
  ORDER_NOT_PAYABLE: { code: 3102, status: 200 },
  ORDER_NOT_CANCELLABLE: { code: 3103, status: 200 },
  ORDER_TYPE_CLOSED: { code: 3104, status: 200 },
  AMOUNT_TOO_SMALL: { code: 3105, status: 200 },
  AMOUNT_TOO_LARGE: { code: 3106, status: 200 },
  CHANNEL_UNAVAILABLE: { code: 3107, status: 200 },
  CHANNEL_REFUSED: { code: 3108, status: 200 },
  CHANNEL_OTHER_FEE: { code: 3109, status: 200 },
  PAY_PROCESSING: { code: 3110, status: 200 },
  MAINTENANCE: { code: 3111, status: 200 },
  TOO_MANY_OPEN_ORDERS: { code: 3112, status: 200 },
  BALANCE_TOO_LOW: { code: 3113, status: 200 },
  BALANCE_NOT_ACCEPTED: { code: 3114, status: 200 },
  ORDER_REFUND_TOO_LARGE: { code: 3115, status: 200 },
  REFUND_CLOSED: { code: 3116, status: 200 },
  ORDER_NOT_REFUNDABLE: { code: 3117, status: 200 },
  ORDER_SOLD_OUT: { code: 3118, status: 200 },
  /** `keep` must stay in the balance, so at most `max` can be refunded. */
  ORDER_REFUND_KEEPS: { code: 3119, status: 200 },
  /** `noticeUrl`: page that must be read before this payment can be opened. */
  PAY_NOTICE_UNREAD: { code: 3120, status: 200 },
  /** Recharging is paused over a holiday; `resumes`: the first day after it, Shanghai time. */
  RECHARGE_PAUSED: { code: 3121, status: 200 },
  /** The channel is under review by its provider. */
  CHANNEL_IN_REVIEW: { code: 3122, status: 200 },
  ...payPasswordErrors,
  ...outErrors,
  ...autoErrors,
})

import { defineErrors } from '#platform/shared/errors.ts'
import { payPasswordErrors } from '#features/account/errors.ts'
import { autoErrors } from './errors-auto.ts'
import { outErrors } from './errors-out.ts'

/** Business refusals travel as HTTP 200 with their code. */
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
  /** `keep` stays in the balance, so that at most `max` can go back. */
  ORDER_REFUND_KEEPS: { code: 3119, status: 200 },
  /** `noticeUrl`: the page that is read before this payment can be opened. */
  PAY_NOTICE_UNREAD: { code: 3120, status: 200 },
  /** Over a holiday; `resumes`: the first day after it, Shanghai time. */
  RECHARGE_PAUSED: { code: 3121, status: 200 },
  /** The channel is under review by its company. */
  CHANNEL_IN_REVIEW: { code: 3122, status: 200 },
  ...payPasswordErrors,
  ...outErrors,
  ...autoErrors,
})

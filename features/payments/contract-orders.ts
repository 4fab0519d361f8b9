import { z } from 'zod'
import { defineContract, usdText } from '#platform/shared/contract.ts'
import { orderSchema, orderNoSchema, orderType, amount, minorAmount, payMethod, payStatusSchema, orderStateSchema, itemInputs } from './contract-shapes.ts'
import { paymentErrors } from './errors.ts'
import { PAY_CURRENCY_CODES } from './contract-currencies.ts'
import { ORDER_EVENTS, ORDER_FILTERS, REFUND_STATES } from './words.ts'

const day = z.iso.date()

/** One order in the list of all orders. */
export const orderRowSchema = orderSchema.extend({
  /** Title of the ordered item, in the caller's language. */
  title: z.string(),
  /** Dollars refunded so far; part of `amount`, or of `total` where the fee was refunded too. */
  refunded: usdText,
  /** True while the order can be opened and paid. */
  payable: z.boolean(),
  /** `auto`: auto recharge made it. */
  source: z.enum(['user', 'auto']),
})
export type CustomerOrderRow = z.output<typeof orderRowSchema>

/**
 * Timeline of an order, oldest first. `facts` fill the page text `event_<event>`: `channelTxn` (the channel's transaction number),
 * `amount` (dollars), `payAmount` and `payCurrency` (the sum actually paid or refunded), `method` (transaction type), `refundNo`,
 * `by` (user, operator, channel, system).
 */
const timelineRow = z.object({
  at: z.string(),
  event: z.enum(ORDER_EVENTS),
  state: orderStateSchema,
  facts: z.record(z.string(), z.string()),
})

/** Money that arrived for an order, as reported by the channel's query. */
const paymentRow = z.object({
  channelTxn: z.string(),
  transactionType: payMethod,
  payAmount: minorAmount,
  /** ISO 4217; may differ from the order's currency. */
  payCurrency: z.string(),
  paidTime: z.string(),
  /** `again`: a second payment, credited to the balance. `returning`: refunded automatically. `suspense`: waits for an operator. */
  outcome: z.enum(['credited', 'late', 'again', 'returning', 'suspense']),
})

export const refundRow = z.object({
  refundNo: z.string(),
  amount: usdText,
  payAmount: minorAmount,
  payCurrency: z.enum(PAY_CURRENCY_CODES),
  state: z.enum(REFUND_STATES),
  /** Destination of the refund. */
  to: z.enum(['channel', 'balance']),
  reason: z.string(),
  createdTime: z.string(),
  finishedTime: z.string().nullable(),
})
export type OrderRefund = z.output<typeof refundRow>

const disputeRow = z.object({
  payAmount: minorAmount,
  payCurrency: z.string(),
  state: z.enum(['open', 'won', 'lost']),
  /** Dollars charged beside the amount; '0' unless the dispute was lost. */
  fee: usdText,
  createdTime: z.string(),
  closedTime: z.string().nullable(),
})

export const orderDetailSchema = z.object({
  order: orderRowSchema,
  timeline: z.array(timelineRow),
  payments: z.array(paymentRow),
  refunds: z.array(refundRow),
  disputes: z.array(disputeRow),
  /** Actions open to the user now. */
  can: z.object({
    pay: z.boolean(),
    cancel: z.boolean(),
    /** True if a receipt can be drawn, because money was received. */
    receipt: z.boolean(),
    /** Dollars refundable now; null for none. */
    refund: usdText.nullable(),
    /** Dollars that must stay in the balance after a refund. */
    keep: usdText,
    /** True if the same item can be ordered again. */
    again: z.boolean(),
  }),
})
export type OrderDetail = z.output<typeof orderDetailSchema>

/** Up to 200 characters on one line: line breaks become blanks, and marks that change the text direction are removed. */
export const refundReason = z
  .string()
  .max(800)
  .transform((text) =>
    text
      .replaceAll(/[\u202a-\u202e\u2066-\u2069]/gu, '')
      .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      .trim(),
  )
  .refine((text) => [...text].length <= 200)

/** Customer endpoints of orders: list, page, balance, refunds. Paths: product.md 2.7. */
export const ordersContract = defineContract(paymentErrors)({
  orderList: {
    method: 'GET',
    path: '/v1/pay/orderList',
    access: 'user',
    summary: 'All orders of the user, newest first, by filters; `cursor` of the last page brings the next',
    input: z.object({
      orderType: orderType.optional(),
      status: z.enum(ORDER_FILTERS).optional(),
      /** Last four characters of the order number, in any case. */
      last4: z
        .string()
        .regex(/^[0-9A-Za-z]{1,4}$/)
        .optional(),
      /** Days of Shanghai, both included. */
      from: day.optional(),
      to: day.optional(),
      cursor: z
        .string()
        .regex(/^\d{1,18}$/)
        .optional(),
      pageSize: z.coerce.number().int().min(1).max(100).default(20),
    }),
    reply: z.object({ rowList: z.array(orderRowSchema), nextCursor: z.string().nullable() }),
    errors: [],
  },
  orderDetail: {
    method: 'GET',
    path: '/v1/pay/orderDetail',
    access: 'user',
    summary: 'One order with its timeline, its payments and refunds, and what can be done now',
    input: z.object({ orderNo: orderNoSchema }),
    reply: orderDetailSchema,
    errors: ['ORDER_NOT_FOUND'],
  },
  balancePay: {
    method: 'POST',
    path: '/v1/pay/balancePay',
    access: 'user',
    summary: 'Pays from the balance: an order made for the balance channel, or a new one; no fee; asks for the payment password',
    idempotency: 'required',
    input: z.object({
      orderNo: orderNoSchema.optional(),
      orderType: orderType.optional(),
      amount: amount.optional(),
      /** Six digits; required unless an operator has switched the payment password off. */
      payPassword: z
        .string()
        .regex(/^\d{6}$/)
        .optional(),
      ...itemInputs,
    }),
    reply: orderSchema.extend({ balance: usdText }),
    errors: [
      'ORDER_NOT_FOUND',
      'ORDER_NOT_PAYABLE',
      'ORDER_TYPE_CLOSED',
      'ORDER_SOLD_OUT',
      'BALANCE_TOO_LOW',
      'BALANCE_NOT_ACCEPTED',
      'AMOUNT_TOO_SMALL',
      'AMOUNT_TOO_LARGE',
      'MAINTENANCE',
      'TOO_MANY_OPEN_ORDERS',
      'PAY_PASSWORD_NOT_SET',
      'PAY_PASSWORD_WRONG',
      'PAY_PASSWORD_LOCKED',
      'PAY_PASSWORD_BLOCKED',
    ],
  },
  noticeRead: {
    method: 'POST',
    path: '/v1/unAuth/order/noticeRead',
    access: 'public',
    summary: 'The notice about paying was read for this order, perhaps on another device than the one that pays',
    input: z.object({ orderNo: orderNoSchema }),
    reply: z.object({ payable: z.boolean() }),
    errors: ['ORDER_NOT_FOUND'],
  },
  refund: {
    method: 'POST',
    path: '/pay/refund',
    access: 'user',
    summary: 'Asks for unspent money of an order back, the way it came; all that can be given back unless an amount is named',
    idempotency: 'required',
    input: z.object({ orderNo: orderNoSchema, amount: amount.optional(), reason: refundReason.default('') }),
    reply: z.object({ ...refundRow.shape, orderNo: z.string(), orderState: orderStateSchema, payStatus: payStatusSchema }),
    errors: ['ORDER_NOT_FOUND', 'REFUND_CLOSED', 'ORDER_NOT_REFUNDABLE', 'ORDER_REFUND_TOO_LARGE', 'ORDER_REFUND_KEEPS', 'MONEY_OUT_FROZEN', 'DEBT_FIRST'],
  },
})

import { z } from 'zod'
import { usdAmount, usdText } from '#platform/shared/contract.ts'
import { PAY_CURRENCY_CODES } from './contract-currencies.ts'
import { MAX_METHOD_ID } from './contract-methods.ts'
import { CHANNEL_TYPES, ORDER_STATES, PAY_FORMS, TRADE_FROM } from './words.ts'
import { WITHDRAWAL_STATES } from './words-out.ts'

export { BALANCE_CHANNEL_TYPE } from './words.ts'

/** The pipe stops at the first failure, so the sign check never receives non-numeric text. */
export const amount = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,2})?$/)
  .pipe(usdAmount)
export const orderType = z.coerce.number().int().min(0).max(15)
export const channelType = z.coerce.number().int().min(1).max(CHANNEL_TYPES)
/** Payment method (`PAY_METHODS`). */
export const transactionType = z.coerce.number().int().min(1).max(MAX_METHOD_ID)
export const tradeFrom = z.enum(TRADE_FROM)
export const orderNoSchema = z.string().regex(/^\d{8}-[0-9A-Z]{12}$/)
/** As `transactionType`; 0: from the balance. */
export const payMethod = z.number().int().min(0).max(MAX_METHOD_ID)
export const minorAmount = z.string().regex(/^\d{1,12}\.\d{2}$/)
const percent = z.string().regex(/^\d{1,3}(\.\d{1,4})?$/)
export const rate = z.string().regex(/^\d{1,4}\.\d{1,6}$/)
/** Inputs of the ordered service; each order type reads its own fields. */
export const itemInputs = { cardId: z.string().max(80).optional(), service: z.string().max(80).optional() }
/** 0 not paid, 1 success, 2 fail (product.md 2.3). */
export const payStatusSchema = z.union([z.literal(0), z.literal(1), z.literal(2)])
export const orderStateSchema = z.enum(ORDER_STATES)

export const figureFields = {
  /** Dollars credited to the balance, or the price: amount - discount + fee = total. */
  amount: usdText,
  /** Discount on a first top-up; absent if there is none. */
  discount: usdText.optional(),
  feePercent: percent,
  /** The whole fee, `fixedFee` included. */
  fee: usdText,
  /** Fixed part of the fee, charged by this channel for each payment regardless of its amount. */
  fixedFee: usdText,
  total: usdText,
  rate,
  payAmount: minorAmount,
  /** Currency of `payAmount`. */
  payCurrency: z.enum(PAY_CURRENCY_CODES),
}

export const orderSchema = z.object({
  /** Discount frozen in the order but withheld, because each person gets it once. */
  discountWithheld: usdText.optional(),
  /** Deposit within `amount`, refunded when the last card is closed; absent if there is none. */
  deposit: usdText.optional(),
  orderNo: orderNoSchema,
  orderType,
  payStatus: payStatusSchema,
  state: orderStateSchema,
  ...figureFields,
  channelType,
  transactionType: payMethod,
  tradeFrom,
  createdTime: z.string(),
  expireTime: z.string(),
  successTime: z.string().nullable(),
  /** Seconds until the order can no longer be paid; 0 once expired. */
  secondsLeft: z.number().int(),
})
export type PaymentOrder = z.output<typeof orderSchema>

/** Payment route of an order, as chosen by its client. */
export const paymentChoice = {
  channelType: channelType.optional(),
  /** 0 with the balance's channel, as in its `channelList` row. */
  transactionType: z.coerce.number().int().min(0).max(MAX_METHOD_ID).optional(),
  tradeFrom: tradeFrom.optional(),
}
/** Errors common to all calls that create an order. */
export const ORDER_REFUSALS = [
  'ORDER_TYPE_CLOSED',
  'ORDER_SOLD_OUT',
  'BALANCE_NOT_ACCEPTED',
  'CHANNEL_UNAVAILABLE',
  'AMOUNT_TOO_SMALL',
  'AMOUNT_TOO_LARGE',
  'MAINTENANCE',
  'RECHARGE_PAUSED',
  'CHANNEL_IN_REVIEW',
  'TOO_MANY_OPEN_ORDERS',
] as const

export const channelRow = z.object({
  channelType,
  /** 0: the balance. */
  transactionType: payMethod,
  tradeFrom,
  /** `balance`: no payment page is opened; `balancePay` pays at once. */
  form: z.enum([...PAY_FORMS, 'balance']),
  name: z.string(),
  img: z.string(),
  advantages: z.array(z.string()),
  tipsTop: z.string(),
  tipsBottom: z.string(),
  feePercent: percent,
  /** Dollars charged per payment in addition to the percentage. */
  fixedFee: usdText,
  payCurrency: z.enum(PAY_CURRENCY_CODES),
  /** Units of the pay currency per dollar. */
  rate,
  min: usdText,
  max: usdText,
  disabled: z.boolean(),
  /** Reason the channel is closed for any amount: under review by its company, or closed by operators. Null while it is open. */
  closedWhy: z.enum(['review', 'closed']).nullable(),
  gradualOnly: z.boolean(),
  /** Dollars off a first top-up by this method, as long as a positive amount remains to pay. */
  discount: usdText.optional(),
  /** Balance only: dollars available, and dollars missing for `orderAmount` ('0' if it suffices). */
  balance: usdText.optional(),
  missing: usdText.optional(),
})
export type ChannelRow = z.output<typeof channelRow>

export const recordType = z.union([z.literal(1), z.literal(2), z.literal(3)])

export const orderRecord = z.object({
  /** A withdrawal has its own number, W20261121-.... */
  orderNo: z.string().regex(/^W?\d{8}-[0-9A-Z]{12}$/),
  createdTime: z.string(),
  successTime: z.string().nullable(),
  /** 1 balance recharge, 2 withdrawal, 3 any other order. */
  orderType: recordType,
  /** For a withdrawal: the first channel it is refunded over, or 1 (Alipay) for a transfer. */
  payType: payMethod,
  /** Dollars; negative for a withdrawal, which debits the balance. */
  orderAmount: usdText,
  payAmount: minorAmount,
  payCurrency: z.enum(PAY_CURRENCY_CODES),
  fee: usdText,
  rate,
  /** For a withdrawal: 0 in progress, 1 success, 2 failed. */
  payStatus: payStatusSchema,
  /** For a withdrawal, the nearest order state: refunding, fulfilled or cancelled. */
  state: orderStateSchema,
  /** True while the order can be opened and paid. */
  payable: z.boolean(),
  /** For a recharge of the balance or a card: 1 from the balance, 2 online. */
  rechargeType: z.literal([1, 2]).optional(),
  /** State of a withdrawal; absent for orders. */
  withdrawState: z.enum(WITHDRAWAL_STATES).optional(),
})
export type OrderRecord = z.output<typeof orderRecord>

export const payParams = z.object({
  orderNo: orderNoSchema,
  form: z.enum(PAY_FORMS),
  payUrl: z.string(),
  payHtml: z.string(),
  /** Text to draw as a QR code; present when form is 'qr'. */
  qr: z.string().optional(),
  /** Seconds until these parameters expire. */
  timeExpireTime: z.number().int(),
})
export type PayParams = z.output<typeof payParams>

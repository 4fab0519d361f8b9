import { z } from 'zod'
import { defineContract, pageInput, pageOf, usdAmount, usdText } from '#platform/shared/contract.ts'
import { CHANNEL_TYPES, ORDER_STATES, ORDER_TYPE, PAY_CURRENCIES, PAY_FORMS, TRADE_FROM } from './words.ts'
import { WITHDRAWAL_STATES } from './words-out.ts'
import { paymentErrors } from './errors.ts'

/** The pipe stops at the first failure, so that the sign check never sees text that is no number. */
export const amount = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,2})?$/)
  .pipe(usdAmount)
export const orderType = z.coerce.number().int().min(0).max(15)
const channelType = z.coerce.number().int().min(1).max(CHANNEL_TYPES)
/** How the money is paid: 1 Alipay, 2 WeChat Pay, 3 UnionPay, 4 AlipayHK, 5 card. */
export const transactionType = z.coerce.number().int().min(1).max(5)
const tradeFrom = z.enum(TRADE_FROM)
export const orderNo = z.string().regex(/^\d{8}-[0-9A-Z]{12}$/)
/** As `transactionType`; 0: from the balance. */
export const payMethod = z.number().int().min(0).max(5)
export const minorAmount = z.string().regex(/^\d{1,12}\.\d{2}$/)
const percent = z.string().regex(/^\d{1,3}(\.\d{1,4})?$/)
const rate = z.string().regex(/^\d{1,4}\.\d{1,6}$/)
/** What the ordered service needs to know; each order type reads its own. */
export const wishes = { cardId: z.string().max(80).optional(), service: z.string().max(80).optional() }
/** 0 not paid, 1 success, 2 fail (product.md 2.3). */
export const payStatus = z.union([z.literal(0), z.literal(1), z.literal(2)])
export const state = z.enum(ORDER_STATES)

const figures = {
  /** Dollars that reach the balance, or the price: amount - discount + fee = total. */
  amount: usdText,
  /** Off a first top-up; left out where there is none. */
  discount: usdText.optional(),
  feePercent: percent,
  /** All of the fee, `fixedFee` included. */
  fee: usdText,
  /** The part of the fee that each payment at this channel costs, whatever its amount. */
  fixedFee: usdText,
  total: usdText,
  rate,
  payAmount: minorAmount,
  /** What payAmount is in. */
  payCurrency: z.enum(PAY_CURRENCIES),
}

export const order = z.object({
  orderNo,
  orderType,
  payStatus,
  state,
  ...figures,
  channelType,
  transactionType: payMethod,
  tradeFrom,
  createdTime: z.string(),
  expireTime: z.string(),
  successTime: z.string().nullable(),
  /** Seconds until the order can no longer be paid; 0 when over. */
  secondsLeft: z.number().int(),
})
export type Order = z.output<typeof order>

export const channelRow = z.object({
  channelType,
  /** 0: the balance. */
  transactionType: payMethod,
  tradeFrom,
  /** `balance`: nothing is opened, `balancePay` pays at once. */
  form: z.enum([...PAY_FORMS, 'balance']),
  name: z.string(),
  img: z.string(),
  advantages: z.array(z.string()),
  tipsTop: z.string(),
  tipsBottom: z.string(),
  feePercent: percent,
  /** Dollars that each payment costs beside the percentage. */
  fixedFee: usdText,
  payCurrency: z.enum(PAY_CURRENCIES),
  /** The pay currency for one dollar. */
  rate,
  min: usdText,
  max: usdText,
  disabled: z.boolean(),
  /** Why nobody can choose it, whatever the amount: its company has it under review, or operators have closed it. */
  closedWhy: z.enum(['review', 'closed']).nullable(),
  gradualOnly: z.boolean(),
  /** Of the balance alone: dollars that can be spent now, and how many are missing for `orderAmount` ('0': enough). */
  balance: usdText.optional(),
  missing: usdText.optional(),
})
export type ChannelRow = z.output<typeof channelRow>

const recordType = z.union([z.literal(1), z.literal(2)])

export const orderRecord = z.object({
  /** Of a withdrawal its own number, W20261121-.... */
  orderNo: z.string().regex(/^W?\d{8}-[0-9A-Z]{12}$/),
  createdTime: z.string(),
  successTime: z.string().nullable(),
  /** 1 recharge, 2 withdrawal. */
  orderType: recordType,
  /** Of a withdrawal: the first channel that it goes back over, 1 (Alipay) for a transfer. */
  payType: payMethod,
  /** Dollars; negative for a withdrawal, which takes them from the balance. */
  orderAmount: usdText,
  payAmount: minorAmount,
  payCurrency: z.enum(PAY_CURRENCIES),
  fee: usdText,
  rate,
  /** Of a withdrawal: 0 in progress, 1 success, 2 failed. */
  payStatus,
  /** Of a withdrawal the nearest order state: refunding, fulfilled or cancelled. */
  state,
  /** True while the order can be opened and paid. */
  payable: z.boolean(),
  /** Of a withdrawal alone: where it stands. */
  withdrawState: z.enum(WITHDRAWAL_STATES).optional(),
})
export type OrderRecord = z.output<typeof orderRecord>

export const payParams = z.object({
  orderNo,
  form: z.enum(PAY_FORMS),
  payUrl: z.string(),
  payHtml: z.string(),
  /** Text to draw as a QR code; present when form is 'qr'. */
  qr: z.string().optional(),
  /** Seconds until these parameters expire. */
  timeExpireTime: z.number().int(),
})
export type PayParams = z.output<typeof payParams>

const askErrors = ['ORDER_NOT_FOUND'] as const

const payParamInput = z.object({ order_id: orderNo, channelType, transactionType, tradeFrom, redirectUrl: z.string().max(500).optional() })
const openErrors = [
  'ORDER_NOT_FOUND',
  'ORDER_NOT_PAYABLE',
  'CHANNEL_UNAVAILABLE',
  'CHANNEL_OTHER_FEE',
  'CHANNEL_REFUSED',
  'PAY_PROCESSING',
  'PAY_NOTICE_UNREAD',
  'CHANNEL_IN_REVIEW',
] as const
const opens = <P extends string>(path: P, summary: string) => ({
  method: 'POST' as const,
  path,
  access: 'user' as const,
  summary,
  timeoutMs: 60_000,
  input: payParamInput,
  reply: payParams,
  errors: openErrors,
})

/** Customer endpoints of payments; paths and names: product.md 2.7. */
export const paymentsContract = defineContract(paymentErrors)({
  createOrder: {
    method: 'POST',
    path: '/api/go/v1/payOrder',
    flag: 'recharge',
    access: 'user',
    summary: 'Creates an order with frozen figures',
    idempotency: 'required',
    input: z.object({
      orderType,
      /** Dollars; left out where the service has its own price. */
      amount: amount.optional(),
      channelType: channelType.optional(),
      /** 0 with the balance's channel, as its row in `channelList` says. */
      transactionType: z.coerce.number().int().min(0).max(5).optional(),
      tradeFrom: tradeFrom.optional(),
      ...wishes,
    }),
    reply: order,
    errors: [
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
    ],
  },
  payParam: opens('/api/go/v1/payParam', 'Opens the order at a channel'),
  extraPayParam: opens('/v1/pay/extraPayParam', 'Opens an order that has waited for the face check of its payer'),
  payStatus: {
    method: 'POST',
    path: '/api/go/v1/payStatus',
    access: 'user',
    summary: 'Pay status for polling; asks the channel',
    input: z.object({ order_id: orderNo }),
    reply: z.object({
      orderNo,
      payStatus,
      state,
      scanned: z.boolean(),
      declined: z.boolean(),
      secondsLeft: z.number().int(),
      /** The notice about paying was read for this order. */
      noticeRead: z.boolean(),
    }),
    errors: askErrors,
  },
  tradeStatus: {
    method: 'POST',
    path: '/v1/pay/tradeStatus',
    access: 'user',
    summary: 'The whole order, with the balance',
    input: z.object({ orderNo }),
    reply: order.extend({ balance: usdText }),
    errors: askErrors,
  },
  unAuthTradeStatus: {
    method: 'POST',
    path: '/v1/unAuth/order/tradeStatus',
    access: 'public',
    summary: 'Only whether an order is paid',
    input: z.object({ orderNo }),
    reply: z.object({ orderNo: z.string(), payStatus }),
    errors: ['ORDER_NOT_FOUND'],
  },
  cancelOrder: {
    method: 'POST',
    path: '/v1/pay/cancel',
    access: 'user',
    summary: 'Gives up an unpaid order; money that still arrives is credited',
    input: z.object({ orderNo }),
    reply: z.object({ orderNo, payStatus, state }),
    errors: ['ORDER_NOT_FOUND', 'ORDER_NOT_CANCELLABLE'],
  },
  orderRecords: {
    method: 'GET',
    path: '/user/orderRecords',
    access: 'user',
    summary: 'Recharges and withdrawals, newest first',
    input: pageInput.extend({ orderType: z.coerce.number().pipe(recordType).optional() }),
    reply: pageOf(orderRecord),
    errors: [],
  },
  quote: {
    method: 'GET',
    path: '/v1/pay/quote',
    access: 'user',
    summary: 'Figures, bounds and presets of an amount',
    input: z.object({ orderType: orderType.default(ORDER_TYPE.OPENAI_API), amount: amount.optional(), channelType: channelType.optional() }),
    reply: z.object({
      ...figures,
      amount: usdText.nullable(),
      fee: usdText.nullable(),
      total: usdText.nullable(),
      payAmount: minorAmount.nullable(),
      /** What the caller gets off a first top-up, as long as something is left to pay. */
      discount: usdText.optional(),
      orderType,
      channelType,
      min: usdText,
      max: usdText,
      presets: z.array(usdText),
    }),
    errors: ['ORDER_TYPE_CLOSED', 'CHANNEL_UNAVAILABLE', 'BALANCE_NOT_ACCEPTED', 'AMOUNT_TOO_SMALL', 'AMOUNT_TOO_LARGE'],
  },
  channelList: {
    method: 'GET',
    path: '/v1/pay/channelList',
    access: 'user',
    summary: 'Channels for an order type and amount on this device',
    timeoutMs: 180_000,
    input: z.object({ orderType: orderType.default(ORDER_TYPE.OPENAI_API), orderAmount: amount.optional(), device: tradeFrom.optional() }),
    reply: z.array(channelRow),
    errors: ['ORDER_TYPE_CLOSED'],
  },
  rechargeFee: {
    method: 'POST',
    path: '/v1/pay/rechargeFee',
    access: 'user',
    summary: 'Fee as a fraction',
    input: z.object({ channelType, cardId: z.string().max(80).optional() }),
    reply: z.object({ fee: usdText }),
    errors: ['CHANNEL_UNAVAILABLE'],
  },
  exchangeRate: {
    method: 'GET',
    path: '/common/exchangeRate',
    access: 'public',
    summary: 'Yuan for one dollar, as new orders freeze it',
    input: z.object({}),
    reply: z.object({ from: z.literal('USD'), to: z.literal('CNY'), rate }),
    errors: [],
  },
  maintain: {
    method: 'GET',
    path: '/common/maintain',
    access: 'public',
    summary: 'Maintenance notice and what it closes',
    input: z.object({}),
    reply: z.object({
      isMaintain: z.boolean(),
      startTime: z.string(),
      endTime: z.string(),
      message: z.string(),
      closed: z.array(z.string()),
      /** Days without recharging, told a week ahead; `isNow`: orders are refused. Null for none. */
      rechargePause: z.object({ from: z.string(), to: z.string(), resumes: z.string(), isNow: z.boolean() }).nullable(),
    }),
    errors: [],
  },
})

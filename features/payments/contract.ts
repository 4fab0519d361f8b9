import { z } from 'zod'
import { defineContract, pageInput, definePage, usdText } from '#platform/shared/contract.ts'
import {
  amount,
  orderType,
  channelType,
  transactionType,
  tradeFrom,
  orderNoSchema,
  minorAmount,
  rate,
  itemInputs,
  payStatusSchema,
  orderStateSchema,
  figureFields,
  orderSchema,
  channelRow,
  recordType,
  orderRecord,
  payParams,
  paymentChoice,
  ORDER_REFUSALS,
} from './contract-shapes.ts'
import { maintainContract } from './contract-maintain.ts'
import { paymentErrors } from './errors.ts'
import { ORDER_TYPE } from './words.ts'

const queryErrors = ['ORDER_NOT_FOUND'] as const

const payParamInput = z.object({ order_id: orderNoSchema, channelType, transactionType, tradeFrom, redirectUrl: z.string().max(500).optional() })
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
const definePayEndpoint = <P extends string>(path: P, summary: string) => ({
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
      /** Dollars; omitted if the service sets the price. */
      amount: amount.optional(),
      /** `amount` under the name of product.md 2.7; used if `amount` is omitted. */
      payAmount: amount.optional(),
      ...paymentChoice,
      ...itemInputs,
    }),
    reply: orderSchema,
    errors: ORDER_REFUSALS,
  },
  payParam: definePayEndpoint('/api/go/v1/payParam', 'Opens the order at a channel'),
  extraPayParam: definePayEndpoint('/v1/pay/extraPayParam', 'Opens an order that has waited for the face check of its payer'),
  payStatus: {
    method: 'POST',
    path: '/api/go/v1/payStatus',
    access: 'user',
    summary: 'Pay status for polling; asks the channel',
    input: z.object({ order_id: orderNoSchema }),
    reply: z.object({
      orderNo: orderNoSchema,
      payStatus: payStatusSchema,
      state: orderStateSchema,
      scanned: z.boolean(),
      declined: z.boolean(),
      secondsLeft: z.number().int(),
      /** Records that the payment notice was read for this order. */
      noticeRead: z.boolean(),
    }),
    errors: queryErrors,
  },
  tradeStatus: {
    method: 'POST',
    path: '/v1/pay/tradeStatus',
    access: 'user',
    summary: 'The whole order, with the balance',
    input: z.object({ orderNo: orderNoSchema }),
    reply: orderSchema.extend({ balance: usdText }),
    errors: queryErrors,
  },
  unAuthTradeStatus: {
    method: 'POST',
    path: '/v1/unAuth/order/tradeStatus',
    access: 'public',
    summary: 'Only whether an order is paid',
    input: z.object({ orderNo: orderNoSchema }),
    reply: z.object({ orderNo: z.string(), payStatus: payStatusSchema }),
    errors: ['ORDER_NOT_FOUND'],
  },
  cancelOrder: {
    method: 'POST',
    path: '/v1/pay/cancel',
    access: 'user',
    summary: 'Gives up an unpaid order; money that still arrives is credited',
    input: z.object({ orderNo: orderNoSchema }),
    reply: z.object({ orderNo: orderNoSchema, payStatus: payStatusSchema, state: orderStateSchema }),
    errors: ['ORDER_NOT_FOUND', 'ORDER_NOT_CANCELLABLE'],
  },
  orderRecords: {
    method: 'GET',
    path: '/user/orderRecords',
    access: 'user',
    summary: 'Recharges, withdrawals and other orders, newest first',
    input: pageInput.extend({ orderType: z.coerce.number().pipe(recordType).optional() }),
    reply: definePage(orderRecord),
    errors: [],
  },
  quote: {
    method: 'GET',
    path: '/v1/pay/quote',
    access: 'user',
    summary: 'Figures, bounds and presets of an amount',
    input: z.object({ orderType: orderType.default(ORDER_TYPE.OPENAI_API), amount: amount.optional(), channelType: channelType.optional() }),
    reply: z.object({
      ...figureFields,
      amount: usdText.nullable(),
      fee: usdText.nullable(),
      total: usdText.nullable(),
      payAmount: minorAmount.nullable(),
      /** The caller's discount on a first top-up, as long as a positive total remains to pay. */
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
  ...maintainContract,
})

import { resolveTextKey } from '#platform/shared/texts.ts'
import type { PaymentTextKey } from './texts.ts'

/**
 * Payment methods. `id` is the number on the wire (`transactionType`, `payMethod`; 0 is the balance), which orders store, so it is permanent
 * and has one digit. `text` is the name's key in `texts.ts`. To add a method, add a row; `server/vendors/pay-method.ts` has its icon.
 */
export const PAY_METHODS = {
  balance: { id: 0, text: 'method_0' },
  alipay: { id: 1, text: 'method_1' },
  wechat: { id: 2, text: 'method_2' },
  unionpay: { id: 3, text: 'method_3' },
  alipayHk: { id: 4, text: 'method_4' },
  card: { id: 5, text: 'method_5' },
} as const satisfies Readonly<Record<string, { readonly id: number; readonly text: PaymentTextKey }>>
export type PayMethodName = keyof typeof PAY_METHODS
/** A method that a channel can offer: all but the balance. */
export type ChannelMethodName = Exclude<PayMethodName, 'balance'>

export const CHANNEL_METHOD_NAMES = (Object.keys(PAY_METHODS) as PayMethodName[]).filter((name): name is ChannelMethodName => name !== 'balance')
export const MAX_METHOD_ID = Math.max(...Object.values(PAY_METHODS).map(({ id }) => id))

const TEXT_KEYS: Readonly<Record<string, PaymentTextKey>> = Object.fromEntries(Object.values(PAY_METHODS).map(({ id, text }) => [id, text]))

/** Text key of a payment method's name, by its number. An unknown number gives the key "?9", which is shown as it is. */
export const methodTextKey = (transactionType: number): PaymentTextKey => resolveTextKey(TEXT_KEYS, String(transactionType))

/**
 * Payment channels by vendor name. `id` is the number on the wire (`channelType`), which orders store: it is permanent, at most
 * `CHANNEL_TYPES`, and never used again. `brand` is shown to operators.
 */
export const PAY_CHANNELS = {
  'stripe': { id: 2, brand: 'Stripe' },
  'nihaopay': { id: 3, brand: 'NihaoPay' },
  'wechat-pay': { id: 4, brand: 'WeChat Pay' },
  'balance': { id: 5, brand: 'Balance' },
  'alipay': { id: 11, brand: 'Alipay' },
  'sandbox': { id: 25, brand: 'Sandbox' },
  // Channels of the first version, in old orders only: they have no public interface.
  'go-all-pay': { id: 1, brand: 'GoAllPay' },
  'iot-pay': { id: 7, brand: 'IOTPay' },
  'su-pay': { id: 8, brand: 'SuPay' },
  'new-pay': { id: 9, brand: 'NewPay' },
  'new-all-pay': { id: 10, brand: 'NewAllPay' },
} as const

const BRANDS: ReadonlyMap<number, string> = new Map(Object.values(PAY_CHANNELS).map(({ id, brand }) => [id, brand]))

/** Brand of a channel, by its number. */
export const findChannelBrand = (channelType: number): string | undefined => BRANDS.get(channelType)

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

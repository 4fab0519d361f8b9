import { BALANCE_CHANNEL_TYPE } from './words.ts'

/**
 * Payment channels by vendor name. `id` is the number on the wire (`channelType`), which orders store: it is permanent, at most
 * `CHANNEL_TYPES`, and never used again. `brand` is shown to operators.
 */
export const PAY_CHANNELS = {
  'stripe': { id: 2, brand: 'Stripe' },
  'nihaopay': { id: 3, brand: 'NihaoPay' },
  'wechat-pay': { id: 4, brand: 'WeChat Pay' },
  'balance': { id: BALANCE_CHANNEL_TYPE, brand: 'Balance' },
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

import type { ChannelManifest, PayMethod } from '../port.ts'
import type { PaymentsStripeAccount, StripeMethod } from './config.ts'
import { buildMethodTexts, NO_TEXT } from '../method-texts.ts'

const tile = (colour: string, path: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="${colour}"/><path d="${path}" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`

export const STRIPE_CHANNEL = 'stripe'

const METHODS: Readonly<Record<StripeMethod, PayMethod>> = {
  card: {
    transactionType: 5,
    label: buildMethodTexts('method_card'),
    advantages: [buildMethodTexts('method_card_brands')],
    tipsTop: NO_TEXT,
    tipsBottom: NO_TEXT,
    icon: tile('#3f4756', 'M9 13h22v14H9zM9 18h22M23 23h4'),
    forms: { QRCODE: 'redirect', H5: 'redirect' },
  },
  alipay: {
    transactionType: 1,
    label: buildMethodTexts('method_alipay_stripe'),
    advantages: [],
    tipsTop: NO_TEXT,
    tipsBottom: NO_TEXT,
    icon: tile('#1677ff', 'M12 12h16M20 8v9M11 17h18c-2 8-9 13-17 14M13 22c5 1 11 4 16 8'),
    forms: { QRCODE: 'redirect', H5: 'redirect' },
  },
  wechat_pay: {
    transactionType: 2,
    label: buildMethodTexts('method_wechat_stripe'),
    advantages: [],
    anonymous: true,
    tipsTop: NO_TEXT,
    tipsBottom: NO_TEXT,
    icon: tile(
      '#1aad19',
      'M31 18c0 6-5 10-11 10-1.600 0-3-.3-4.400-.8L10 30l1.800-4.200A9.500 9.500 0 0 1 9 18c0-5.500 5-10 11-10s11 4.500 11 10M15 18l4 4 7-8',
    ),
    // Its page shows a code to scan, which the phone that displays it cannot do.
    forms: { QRCODE: 'redirect' },
  },
}

export function buildStripeManifest({ methods, currency }: PaymentsStripeAccount): ChannelManifest {
  return {
    id: 2,
    name: STRIPE_CHANNEL,
    sandbox: false,
    currency,
    limits: { min: '1', max: '5000' },
    methods: methods.map((method) => METHODS[method]),
    reopens: 'same',
    supports: { refund: 'numbered', refundDays: 180, statement: true },
  }
}

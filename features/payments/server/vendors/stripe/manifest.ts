import { buildMethodTexts } from '../pay-method.ts'
import { defineChannelManifest, definePayMethod } from '../port.ts'
import type { ChannelManifest, PayMethod } from '../port.ts'
import type { PaymentsStripeAccount, StripeMethod } from './config.ts'

const METHODS: Readonly<Record<StripeMethod, PayMethod>> = {
  card: definePayMethod('card', { forms: { QRCODE: 'redirect', H5: 'redirect' } }),
  alipay: definePayMethod('alipay', { label: buildMethodTexts('method_alipay_stripe'), advantages: [], forms: { QRCODE: 'redirect', H5: 'redirect' } }),
  wechat_pay: definePayMethod('wechat', {
    label: buildMethodTexts('method_wechat_stripe'),
    advantages: [],
    anonymous: true,
    // Its page shows a code to scan, which the phone that displays it cannot do.
    forms: { QRCODE: 'redirect' },
  }),
}

export const buildStripeManifest = ({ methods, currency }: PaymentsStripeAccount): ChannelManifest =>
  defineChannelManifest('stripe', {
    currency,
    limits: { min: '1', max: '5000' },
    methods: methods.map((method) => METHODS[method]),
    reopens: 'same',
    supports: { refund: 'numbered', refundDays: 180, statement: true },
  })

import { buildMethodTexts } from '../pay-method.ts'
import { defineChannelManifest, definePayMethod } from '../port.ts'
import type { ChannelManifest } from '../port.ts'
import type { NihaopayAccount } from './config.ts'

const unionPay = definePayMethod('unionpay', { label: buildMethodTexts('method_unionpay'), anonymous: true, forms: { QRCODE: 'form', H5: 'form' } })
const alipayHk = definePayMethod('alipayHk', {
  anonymous: true,
  tipsBottom: buildMethodTexts('method_page_minutes'),
  forms: { QRCODE: 'redirect', H5: 'redirect' },
})

export const buildNihaopayManifest = ({ methods }: NihaopayAccount): ChannelManifest =>
  defineChannelManifest('nihaopay', {
    currency: 'USD',
    limits: { min: '1' },
    methods: [...(methods.includes('unionpay') ? [unionPay] : []), ...(methods.includes('alipayhk') ? [alipayHk] : [])],
    reopens: 'new',
    supports: { refund: 'one-by-one', refundDays: 180, statement: 'payments' },
  })

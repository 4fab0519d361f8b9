import { defineChannelManifest, definePayMethod } from '../port.ts'
import type { ChannelManifest } from '../port.ts'
import type { AlipayAccount } from './config.ts'

export const buildAlipayManifest = ({ desktop, mobile }: AlipayAccount): ChannelManifest =>
  defineChannelManifest('alipay', {
    currency: 'CNY',
    methods: [definePayMethod('alipay', { forms: { QRCODE: desktop, H5: mobile } })],
    reopens: 'same',
    supports: { refund: 'numbered', refundDays: 365, statement: true },
  })

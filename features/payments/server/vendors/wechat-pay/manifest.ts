import { buildMethodTexts } from '../pay-method.ts'
import { defineChannelManifest, definePayMethod } from '../port.ts'
import type { ChannelManifest } from '../port.ts'
import type { WechatPayAccount } from './config.ts'

export const buildWechatPayManifest = ({ methods }: WechatPayAccount): ChannelManifest =>
  defineChannelManifest('wechat-pay', {
    currency: 'CNY',
    methods: [
      definePayMethod('wechat', {
        tipsBottom: buildMethodTexts('method_outside_wechat'),
        forms: { ...(methods.includes('native') ? { QRCODE: 'qr' as const } : {}), ...(methods.includes('h5') ? { H5: 'redirect' as const } : {}) },
      }),
    ],
    reopens: 'same',
    supports: { refund: 'numbered', refundDays: 365, statement: true },
  })

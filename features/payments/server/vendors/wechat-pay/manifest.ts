import type { ChannelManifest, PayMethod } from '../port.ts'
import type { WechatPayAccount } from './config.ts'
import { buildMethodTexts, NO_TEXT } from '../method-texts.ts'

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#1aad19"/><path d="M31 18c0 6-5 10-11 10-1.600 0-3-.3-4.400-.8L10 30l1.800-4.200A9.500 9.500 0 0 1 9 18c0-5.500 5-10 11-10s11 4.500 11 10M15 18l4 4 7-8" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>'

export const WECHAT_PAY_CHANNEL = 'wechat-pay'

export function buildWechatPayManifest({ methods }: WechatPayAccount): ChannelManifest {
  const method: PayMethod = {
    transactionType: 2,
    label: buildMethodTexts('method_wechat'),
    advantages: [buildMethodTexts('method_scan')],
    tipsTop: NO_TEXT,
    tipsBottom: buildMethodTexts('method_outside_wechat'),
    icon,
    forms: { ...(methods.includes('native') ? { QRCODE: 'qr' as const } : {}), ...(methods.includes('h5') ? { H5: 'redirect' as const } : {}) },
  }
  return {
    id: 4,
    name: WECHAT_PAY_CHANNEL,
    sandbox: false,
    currency: 'CNY',
    limits: {},
    methods: [method],
    reopens: 'same',
    supports: { refund: 'numbered', refundDays: 365, statement: true },
  }
}

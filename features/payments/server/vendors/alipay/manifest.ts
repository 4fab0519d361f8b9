import type { ChannelManifest } from '../port.ts'
import type { AlipayAccount } from './config.ts'
import { buildMethodTexts, NO_TEXT } from '../method-texts.ts'

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="#1677ff"/><path d="M12 12h16M20 8v9M11 17h18c-2 8-9 13-17 14M13 22c5 1 11 4 16 8" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>'

export const ALIPAY_CHANNEL = 'alipay'

export function buildAlipayManifest({ desktop, mobile }: AlipayAccount): ChannelManifest {
  return {
    id: 11,
    name: ALIPAY_CHANNEL,
    sandbox: false,
    currency: 'CNY',
    limits: {},
    methods: [
      {
        transactionType: 1,
        label: buildMethodTexts('method_alipay'),
        advantages: [buildMethodTexts('method_at_once')],
        tipsTop: NO_TEXT,
        tipsBottom: NO_TEXT,
        icon,
        forms: { QRCODE: desktop, H5: mobile },
      },
    ],
    reopens: 'same',
    supports: { refund: 'numbered', refundDays: 365, statement: true },
  }
}

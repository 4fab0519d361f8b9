import type { ChannelManifest, PayMethod } from '../port.ts'
import { pickText } from '#platform/shared/languages.ts'
import { mapLangs } from '#platform/shared/map-langs.ts'
import { NO_TEXT } from '../method-texts.ts'

const say = (texts: { readonly zh: string; readonly en: string }) => mapLangs((lang) => pickText(texts, lang))

const tile = (colour: string, drawing: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="${colour}"/>${drawing}</svg>`
const stroke = (path: string) => `<path d="${path}" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>`

const tips: Pick<PayMethod, 'tipsTop' | 'tipsBottom'> = {
  tipsTop: say({ zh: '沙箱渠道，不会真的扣款', en: 'Sandbox channel, no real money moves' }),
  tipsBottom: NO_TEXT,
}

/** All five methods, so that every form is drawn: a code to scan, a page to go to, a form to submit. */
export const manifest: ChannelManifest = {
  id: 25,
  name: 'sandbox',
  sandbox: true,
  currency: 'CNY',
  limits: {},
  reopens: 'same',
  supports: { refund: 'numbered', refundDays: 365, statement: true },
  methods: [
    {
      transactionType: 1,
      ...tips,
      label: say({ zh: '支付宝', en: 'Alipay' }),
      advantages: [say({ zh: '即时到账', en: 'Credited at once' })],
      icon: tile('#1677ff', stroke('M12 12h16M20 8v9M11 17h18c-2 8-9 13-17 14M13 22c5 1 11 4 16 8')),
      forms: { QRCODE: 'qr', H5: 'redirect' },
    },
    {
      transactionType: 2,
      ...tips,
      label: say({ zh: '微信支付', en: 'WeChat Pay' }),
      advantages: [say({ zh: '扫码即付', en: 'Scan to pay' })],
      icon: tile(
        '#1aad19',
        stroke('M31 18c0 6-5 10-11 10-1.600 0-3-.3-4.400-.8L10 30l1.800-4.200A9.500 9.500 0 0 1 9 18c0-5.500 5-10 11-10s11 4.500 11 10M15 18l4 4 7-8'),
      ),
      forms: { QRCODE: 'qr', H5: 'redirect' },
    },
    {
      transactionType: 3,
      ...tips,
      label: say({ zh: '云闪付', en: 'UnionPay' }),
      advantages: [say({ zh: '各家银行卡', en: 'All bank cards' })],
      icon: tile('#0f6e78', stroke('M9 13h22v14H9zM9 18h22M13 23h5')),
      forms: { QRCODE: 'form', H5: 'form' },
    },
    {
      transactionType: 4,
      ...tips,
      label: say({ zh: 'AlipayHK', en: 'AlipayHK' }),
      advantages: [say({ zh: '香港钱包', en: 'Hong Kong wallet' })],
      icon: tile('#1f6fb5', stroke('M12 12v16M28 12v16M12 20h16')),
      forms: { QRCODE: 'qr', H5: 'redirect' },
    },
    {
      transactionType: 5,
      ...tips,
      label: say({ zh: '国际银行卡', en: 'Card' }),
      advantages: [say({ zh: 'Visa、Mastercard', en: 'Visa, Mastercard' })],
      icon: tile('#3f4756', stroke('M9 13h22v14H9zM9 18h22M23 23h4')),
      forms: { QRCODE: 'redirect', H5: 'redirect' },
    },
  ],
}

import { pickText } from '#platform/shared/languages.ts'
import { mapLangs } from '#platform/shared/map-langs.ts'
import { CHANNEL_METHOD_NAMES, defineChannelManifest, definePayMethod } from '../port.ts'
import type { ChannelMethodName, PayMethod } from '../port.ts'

const TIP = { zh: '沙箱渠道，不会真的扣款', en: 'Sandbox channel, no real money moves' }
const tipsTop = mapLangs((lang) => pickText(TIP, lang))

const SCAN: PayMethod['forms'] = { QRCODE: 'qr', H5: 'redirect' }
const REDIRECT: PayMethod['forms'] = { QRCODE: 'redirect', H5: 'redirect' }
const FORMS: Readonly<Partial<Record<ChannelMethodName, PayMethod['forms']>>> = {
  alipay: SCAN,
  wechat: SCAN,
  unionpay: { QRCODE: 'form', H5: 'form' },
  alipayHk: SCAN,
}

/** Offers every method, so that every form is drawn: a code to scan, a page to go to, a form to submit. */
export const manifest = defineChannelManifest('sandbox', {
  sandbox: true,
  currency: 'CNY',
  methods: CHANNEL_METHOD_NAMES.map((name) => definePayMethod(name, { tipsTop, forms: FORMS[name] ?? REDIRECT })),
  reopens: 'same',
  supports: { refund: 'numbered', refundDays: 365, statement: true },
})

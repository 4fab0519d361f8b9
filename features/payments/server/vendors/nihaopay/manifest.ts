import type { ChannelManifest, PayMethod } from '../port.ts'
import type { NihaopayAccount } from './config.ts'
import { buildMethodTexts, NO_TEXT } from '../method-texts.ts'
import { mapLangs } from '#platform/shared/map-langs.ts'

const tile = (colour: string, path: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="${colour}"/><path d="${path}" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`

export const NIHAOPAY_CHANNEL = 'nihaopay'

const unionPay: PayMethod = {
  transactionType: 3,
  label: buildMethodTexts('method_unionpay'),
  advantages: [buildMethodTexts('method_banks')],
  anonymous: true,
  tipsTop: NO_TEXT,
  tipsBottom: NO_TEXT,
  icon: tile('#0f6e78', 'M9 13h22v14H9zM9 18h22M13 23h5'),
  forms: { QRCODE: 'form', H5: 'form' },
}
const alipayHk: PayMethod = {
  transactionType: 4,
  label: mapLangs(() => 'AlipayHK'),
  advantages: [buildMethodTexts('method_hk_wallet')],
  anonymous: true,
  tipsTop: NO_TEXT,
  tipsBottom: buildMethodTexts('method_page_minutes'),
  icon: tile('#0a5bd8', 'M10 28 20 10l10 18M14 22h12M29 10v6M34 10v6M29 13h5'),
  forms: { QRCODE: 'redirect', H5: 'redirect' },
}

export function buildNihaopayManifest({ methods }: NihaopayAccount): ChannelManifest {
  return {
    id: 3,
    name: NIHAOPAY_CHANNEL,
    sandbox: false,
    currency: 'USD',
    limits: { min: '1' },
    methods: [...(methods.includes('unionpay') ? [unionPay] : []), ...(methods.includes('alipayhk') ? [alipayHk] : [])],
    reopens: 'new',
    supports: { refund: 'one-by-one', refundDays: 180, statement: 'payments' },
  }
}

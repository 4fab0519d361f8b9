import type { Lang } from '#platform/shared/languages.ts'
import { mapLangs } from '#platform/shared/map-langs.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'
import { methodTextKey, PAY_METHODS } from '../../contract-methods.ts'
import type { ChannelMethodName } from '../../contract-methods.ts'
import { paymentTexts } from '../../texts.ts'
import { paymentMailTexts } from '../mail-texts.ts'
import type { PayMethod } from './port-manifest.ts'

type ManifestTextKey = TextKeyOf<typeof paymentMailTexts>

/** A text of a channel's manifest in each language. */
export const buildMethodTexts = (key: ManifestTextKey): Readonly<Record<Lang, string>> => mapLangs((lang) => paymentMailTexts[lang][key])

export const NO_TEXT: Readonly<Record<Lang, string>> = mapLangs(() => '')

const drawIcon = (colour: string, path: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" viewBox="0 0 40 40"><rect width="40" height="40" rx="9" fill="${colour}"/><path d="${path}" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></svg>`

/** Icon of each method, and the advantage that the picker shows. */
const METHODS: Readonly<Record<ChannelMethodName, { readonly icon: string; readonly advantage?: ManifestTextKey }>> = {
  alipay: { icon: drawIcon('#1677ff', 'M12 12h16M20 8v9M11 17h18c-2 8-9 13-17 14M13 22c5 1 11 4 16 8'), advantage: 'method_at_once' },
  wechat: {
    icon: drawIcon(
      '#1aad19',
      'M31 18c0 6-5 10-11 10-1.600 0-3-.3-4.400-.8L10 30l1.800-4.200A9.500 9.500 0 0 1 9 18c0-5.500 5-10 11-10s11 4.500 11 10M15 18l4 4 7-8',
    ),
    advantage: 'method_scan',
  },
  unionpay: { icon: drawIcon('#0f6e78', 'M9 13h22v14H9zM9 18h22M13 23h5'), advantage: 'method_banks' },
  alipayHk: { icon: drawIcon('#0a5bd8', 'M10 28 20 10l10 18M14 22h12M29 10v6M34 10v6M29 13h5'), advantage: 'method_hk_wallet' },
  card: { icon: drawIcon('#3f4756', 'M9 13h22v14H9zM9 18h22M23 23h4'), advantage: 'method_card_brands' },
}

/** Name of a method by its number, as customers see it. */
export const findMethodLabel = (transactionType: number, lang: Lang): string => paymentTexts[lang][methodTextKey(transactionType)]

/** Builds a method of a channel: the forms are the channel's own, everything else comes from the tables unless `own` overrides it. */
export function definePayMethod(name: ChannelMethodName, own: Pick<PayMethod, 'forms'> & Partial<Omit<PayMethod, 'transactionType'>>): PayMethod {
  const { id, text } = PAY_METHODS[name]
  const { icon, advantage } = METHODS[name]
  return {
    transactionType: id,
    label: mapLangs((lang) => paymentTexts[lang][text]),
    advantages: advantage ? [buildMethodTexts(advantage)] : [],
    tipsTop: NO_TEXT,
    tipsBottom: NO_TEXT,
    icon,
    ...own,
  }
}

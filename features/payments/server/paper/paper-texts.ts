import { fill, createTextLookup, type TextKeyOf } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { formatOrderTitle } from '../../texts-titles.ts'
import { paymentTexts } from '../../texts.ts'
import { paymentMailTexts } from '../mail-texts.ts'

type Key = TextKeyOf<typeof paymentMailTexts>

/** Text lookup of a paper in one language. */
export function createPaperTexts(lang: Lang) {
  return (key: Key, values?: Readonly<Record<string, string>>) => fill(paymentMailTexts[lang][key], values)
}

const methodWords = createTextLookup(paymentTexts, 'method_')

/** Names of order types and payment methods in a language. */
export function createOrderWords(lang: Lang) {
  return { title: (orderType: number) => formatOrderTitle(orderType, lang), method: (method: number) => methodWords(lang, method) ?? '' }
}

import { fill, wordsOf } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { orderTitle } from '../../texts-titles.ts'
import { paymentTexts } from '../../texts.ts'
import { mailTexts } from '../mail-texts.ts'

type Key = keyof typeof mailTexts.zh

/** The words of a paper. */
export function paperSays(lang: Lang) {
  return (key: Key, values?: Readonly<Record<string, string>>) => fill(mailTexts[lang][key], values)
}

const methodWords = wordsOf(paymentTexts, 'method_')

/** Names of order types and payment methods in a language. */
export function orderWords(lang: Lang) {
  return { title: (orderType: number) => orderTitle(orderType, lang), method: (method: number) => methodWords(lang, method) ?? '' }
}

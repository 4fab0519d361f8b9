import { fill, wordsOf } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { paymentTexts } from '../../texts.ts'
import { mailTexts } from '../mail-texts.ts'

type Key = keyof typeof mailTexts.zh

/** The words of a paper. */
export function paperSays(lang: Lang) {
  return (key: Key, values?: Readonly<Record<string, string>>) => fill(mailTexts[lang][key], values)
}

const titleWords = wordsOf(paymentTexts, 'title_')
const methodWords = wordsOf(paymentTexts, 'method_')

/** What was ordered, and how it was paid, in words. */
export function orderWords(lang: Lang) {
  return { title: (orderType: number) => titleWords(lang, orderType) ?? String(orderType), method: (method: number) => methodWords(lang, method) ?? '' }
}

import { fill } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { paymentTexts } from '../../texts.ts'
import { mailTexts } from '../mail-texts.ts'

type Key = keyof typeof mailTexts.zh

/** The words of a paper. */
export function paperSays(lang: Lang) {
  return (key: Key, values?: Readonly<Record<string, string>>) => fill(mailTexts[lang][key], values)
}

/** What was ordered, and how it was paid, in words. */
export function orderWords(lang: Lang) {
  const texts: Readonly<Record<string, string>> = paymentTexts[lang]
  return { title: (orderType: number) => texts[`title_${orderType}`] ?? String(orderType), method: (method: number) => texts[`method_${method}`] ?? '' }
}

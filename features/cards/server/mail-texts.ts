import { defineTexts, fill } from '#platform/shared/texts.ts'
import type { Lang, TextKeyOf } from '#platform/shared/texts.ts'
import { cardErrors } from '../errors.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

/** Texts of mails, papers and errors. */
export const cardServerTexts = defineTexts({ zh, en }, cardErrors)
type Key = TextKeyOf<typeof cardServerTexts>

export function createCardTranslator(lang: Lang) {
  return (key: Key, values?: Readonly<Record<string, string>>) => fill(cardServerTexts[lang][key], values)
}

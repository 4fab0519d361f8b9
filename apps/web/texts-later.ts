import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/later.en.json' with { type: 'json' }
import zh from './messages/later.zh.json' with { type: 'json' }

/** Texts of shell parts that the first load does not include. */
export const laterTexts = defineTexts({ zh, en })

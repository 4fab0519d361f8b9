import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/funds.en.json' with { type: 'json' }
import zh from './messages/funds.zh.json' with { type: 'json' }

/** Texts of the funds page, and of the rows that the overview reuses. */
export const fundsTexts = defineTexts({ zh, en })

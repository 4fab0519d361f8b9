import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/funds.en.json' with { type: 'json' }
import zh from './messages/funds.zh.json' with { type: 'json' }

/** The funds page and the rows that the overview borrows. */
export const fundsTexts = defineTexts(zh, en)

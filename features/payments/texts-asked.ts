import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/asked.en.json' with { type: 'json' }
import zh from './messages/asked.zh.json' with { type: 'json' }

/** What is asked of the invoice desk: loaded with the page of papers alone. */
export const askedTexts = defineTexts(zh, en)

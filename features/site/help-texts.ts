import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/help.en.json' with { type: 'json' }
import zh from './messages/help.zh.json' with { type: 'json' }

/** Apart from the landing page's texts; the articles themselves stand in help/content. */
export const helpTexts = defineTexts(zh, en)

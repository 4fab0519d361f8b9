import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/filters.en.json' with { type: 'json' }
import zh from './messages/filters.zh.json' with { type: 'json' }

/** What the list of orders is narrowed by: loaded with it, not with every payment. */
export const filterTexts = defineTexts(zh, en)

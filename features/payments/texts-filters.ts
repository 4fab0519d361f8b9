import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/filters.en.json' with { type: 'json' }
import zh from './messages/filters.zh.json' with { type: 'json' }

/** Texts of the order list's filters, loaded with that list only. */
export const filterTexts = defineTexts({ zh, en })

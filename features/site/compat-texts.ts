import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/compat.en.json' with { type: 'json' }
import zh from './messages/compat.zh.json' with { type: 'json' }

/** Texts of the compatibility page, in a separate file so that no other page loads them. */
export const compatTexts = defineTexts({ zh, en })

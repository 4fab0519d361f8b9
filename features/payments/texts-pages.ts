import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/pages.en.json' with { type: 'json' }
import zh from './messages/pages.zh.json' with { type: 'json' }

/** Texts of the pages of orders, withdrawals and documents, loaded with them and not with the shell's strip. */
export const pageTexts = defineTexts({ zh, en })

import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/papers.en.json' with { type: 'json' }
import zh from './messages/papers.zh.json' with { type: 'json' }

/** Texts of receipts, invoices and statements, loaded with their page. */
export const paperTexts = defineTexts({ zh, en })

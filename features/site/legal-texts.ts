import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/legal.en.json' with { type: 'json' }
import zh from './messages/legal.zh.json' with { type: 'json' }

/** Texts of the legal pages, separate from the landing page's, which all visitors load. */
export const legalTexts = defineTexts({ zh, en })

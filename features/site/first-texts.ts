import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/first.en.json' with { type: 'json' }
import zh from './messages/first.zh.json' with { type: 'json' }

/** Texts of the landing page's first screen, which every visitor loads first. */
export const firstTexts = defineTexts({ zh, en })

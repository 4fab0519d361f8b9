import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/legal.en.json' with { type: 'json' }
import zh from './messages/legal.zh.json' with { type: 'json' }

/** Apart from the landing page's texts, which everybody loads. */
export const legalTexts = defineTexts(zh, en)

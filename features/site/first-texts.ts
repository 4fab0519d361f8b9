import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/first.en.json' with { type: 'json' }
import zh from './messages/first.zh.json' with { type: 'json' }

/** The first screen of the landing page: what everybody loads before anything else. */
export const firstTexts = defineTexts(zh, en)

import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/later.en.json' with { type: 'json' }
import zh from './messages/later.zh.json' with { type: 'json' }

/** Of parts of the shell that the first load does not bring. */
export const laterTexts = defineTexts(zh, en)

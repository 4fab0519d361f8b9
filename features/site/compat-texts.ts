import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/compat.en.json' with { type: 'json' }
import zh from './messages/compat.zh.json' with { type: 'json' }

/** The compatibility page's own: nobody else loads them. */
export const compatTexts = defineTexts(zh, en)

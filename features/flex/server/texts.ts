import { defineTexts, wordsOf } from '#platform/shared/texts.ts'
import { flexErrors } from '../errors.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

/** What records, mails, refusals and the desk say. */
export const flexServerTexts = defineTexts(zh, en, flexErrors)

/** What a package is called, by its id. */
export const packageWords = wordsOf(flexServerTexts, 'product_')

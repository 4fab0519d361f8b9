import { defineTexts, wordsOf, type Lang } from '#platform/shared/texts.ts'
import { upgradeErrors } from '../errors.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

/** What records, mails, refusals and the desk say. */
export const upgradeServerTexts = defineTexts(zh, en, upgradeErrors)

export const causeWords = wordsOf(upgradeServerTexts, 'cause_')
export const wayWords = wordsOf(upgradeServerTexts, 'way_')
const planWords = wordsOf(upgradeServerTexts, 'product_')

/** Plans are rows of the price book: one without a name is shown by its id. */
export const planName = (lang: Lang, plan: string): string => planWords(lang, plan) ?? plan

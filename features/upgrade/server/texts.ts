import { defineTexts, wordsOf, type Lang } from '#platform/shared/texts.ts'
import { upgradeErrors } from '../errors.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

/** Texts of records, mails, errors and the desk. */
export const upgradeServerTexts = defineTexts(zh, en, upgradeErrors)

export const causeWords = wordsOf(upgradeServerTexts, 'cause_')
export const wayWords = wordsOf(upgradeServerTexts, 'way_')
const planWords = wordsOf(upgradeServerTexts, 'product_')

/** Name of a plan; a plan without one is shown by its id, because plans come from the price book. */
export const planName = (lang: Lang, plan: string): string => planWords(lang, plan) ?? plan

import { defineTexts, createTextLookup, type Lang } from '#platform/shared/texts.ts'
import { upgradeErrors } from '../errors.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

/** Texts of records, mails, errors and the desk. */
export const upgradeServerTexts = defineTexts({ zh, en }, upgradeErrors)

export const upgradeCauseWords = createTextLookup(upgradeServerTexts, 'cause_')
export const upgradeWayWords = createTextLookup(upgradeServerTexts, 'way_')
const planWords = createTextLookup(upgradeServerTexts, 'product_')

/** Name of a plan; a plan without one is shown by its id, because plans come from the price book. */
export const formatUpgradePlanName = (lang: Lang, plan: string): string => planWords(lang, plan) ?? plan

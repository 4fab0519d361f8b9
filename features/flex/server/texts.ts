import { defineTexts, createTextLookup } from '#platform/shared/texts.ts'
import { flexErrors } from '../errors.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

/** Texts of records, emails, errors and the operators' queue. */
export const flexServerTexts = defineTexts({ zh, en }, flexErrors)

/** Names of packages by id. */
export const flexPackageWords = createTextLookup(flexServerTexts, 'product_')

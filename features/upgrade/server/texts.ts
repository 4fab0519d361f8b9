import { defineTexts } from '#platform/shared/texts.ts'
import { upgradeErrors } from '../errors.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

/** What records, mails, refusals and the desk say. */
export const upgradeServerTexts = defineTexts(zh, en, upgradeErrors)

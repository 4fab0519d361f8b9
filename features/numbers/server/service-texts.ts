import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

/** Names of states and causes of single numbers in records, mails and at the desk. */
export const numberServiceTexts = defineTexts({ zh, en })

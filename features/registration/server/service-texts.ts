import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

/** Names of states and causes in records, mails and at the desk. */
export const registrationServiceTexts = defineTexts({ zh, en })

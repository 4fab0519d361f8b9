import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/packs.en.json' with { type: 'json' }
import zh from './messages/packs.zh.json' with { type: 'json' }

/** Names of states and causes of packs in records, mails and at the desk. */
export const numberPackTexts = defineTexts({ zh, en })

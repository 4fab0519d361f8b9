import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

/** What mails say. Pages never show it, so it does not travel to them. */
export const mailTexts = defineTexts(zh, en)

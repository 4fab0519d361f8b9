import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

/** Mails and the sandbox's page: they do not travel to the browser. */
export const supportServerTexts = defineTexts(zh, en)

import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

/** Texts of mails and the sandbox page; not sent to the browser. */
export const supportServerTexts = defineTexts({ zh, en })

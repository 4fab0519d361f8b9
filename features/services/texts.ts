import { defineTexts } from '#platform/shared/texts.ts'
import { serviceErrors } from './errors.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

/** What all services share, on the server and in mails. */
export const serviceTexts = defineTexts(zh, en, serviceErrors)

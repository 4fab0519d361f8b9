import { defineTexts } from '#platform/shared/texts.ts'
import { serviceErrors } from './errors.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

/** Texts common to all services, for the server and mails. */
export const serviceKitTexts = defineTexts({ zh, en }, serviceErrors)

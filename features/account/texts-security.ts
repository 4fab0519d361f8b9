import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/security.en.json' with { type: 'json' }
import zh from './messages/security.zh.json' with { type: 'json' }

/** The account page and its dialogs: loaded with them, not with the sign-in. */
export const securityTexts = defineTexts(zh, en)

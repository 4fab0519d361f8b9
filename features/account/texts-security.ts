import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/security.en.json' with { type: 'json' }
import zh from './messages/security.zh.json' with { type: 'json' }

/** Texts of the account page and its dialogs, loaded with them and not with the sign-in. */
export const securityTexts = defineTexts({ zh, en })

import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

/** Texts of mails, kept out of the page bundles. */
export const invitationMailTexts = defineTexts({ zh, en })

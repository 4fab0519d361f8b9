import { defineTexts } from '#platform/shared/texts.ts'
import en from '../../messages/mail.en.json' with { type: 'json' }
import zh from '../../messages/mail.zh.json' with { type: 'json' }

/** Mail texts. Kept apart from the page texts so that browsers do not download them. */
export const alertMailTexts = defineTexts({ zh, en })

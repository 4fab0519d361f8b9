import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

/** Texts of registration help: the page and refusals. */
export const registrationTexts = defineTexts({ zh, en })

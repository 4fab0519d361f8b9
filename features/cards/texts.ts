import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

/** Texts of the card page: the card, its money, and its actions. */
export const cardTexts = defineTexts({ zh, en })

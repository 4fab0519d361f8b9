import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

/** My card: the card itself, its money, and what can be done with it. */
export const cardTexts = defineTexts(zh, en)

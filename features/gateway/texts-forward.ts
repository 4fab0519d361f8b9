import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/forward.en.json' with { type: 'json' }
import zh from './messages/forward.zh.json' with { type: 'json' }

/** The page of a member's own base URL and key. */
export const forwardTexts = defineTexts({ zh, en })

import { defineTexts } from '#platform/shared/texts.ts'
import en from '../messages/blocks.en.json' with { type: 'json' }
import zh from '../messages/blocks.zh.json' with { type: 'json' }

/** Texts of blocks and sign-in locks. */
export const blockTexts = defineTexts({ zh, en })

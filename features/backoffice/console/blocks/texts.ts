import { defineTexts } from '#platform/shared/texts.ts'
import en from '../messages/blocks.en.json' with { type: 'json' }
import zh from '../messages/blocks.zh.json' with { type: 'json' }

/** Blocks, and sign-ins that are locked. */
export const blockTexts = defineTexts(zh, en)

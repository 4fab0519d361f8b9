import { defineTexts } from '#platform/shared/texts.ts'
import en from '../messages/kit.en.json' with { type: 'json' }
import zh from '../messages/kit.zh.json' with { type: 'json' }

/** What every screen says: lists, commands, the frame. A screen has texts of its own beside it. */
export const kitTexts = defineTexts(zh, en)

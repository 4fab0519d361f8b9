import { defineTexts } from '#platform/shared/texts.ts'
import en from '../messages/kit.en.json' with { type: 'json' }
import zh from '../messages/kit.zh.json' with { type: 'json' }

/** Texts shared by all screens: lists, commands, the frame. Each screen keeps its own texts beside it. */
export const kitTexts = defineTexts({ zh, en })

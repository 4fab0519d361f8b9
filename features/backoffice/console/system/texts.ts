import { defineTexts } from '#platform/shared/texts.ts'
import en from '../messages/system.en.json' with { type: 'json' }
import zh from '../messages/system.zh.json' with { type: 'json' }

/** Texts of system, settings and figures. */
export const systemTexts = defineTexts({ zh, en })

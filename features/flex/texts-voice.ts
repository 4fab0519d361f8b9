import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/voice.en.json' with { type: 'json' }
import zh from './messages/voice.zh.json' with { type: 'json' }

export const voiceTexts = defineTexts({ zh, en })

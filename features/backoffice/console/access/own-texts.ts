import { defineTexts } from '#platform/shared/texts.ts'
import en from '../messages/own.en.json' with { type: 'json' }
import zh from '../messages/own.zh.json' with { type: 'json' }

export const ownTexts = defineTexts({ zh, en })

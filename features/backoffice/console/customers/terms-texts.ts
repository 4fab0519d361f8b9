import { defineTexts } from '#platform/shared/texts.ts'
import en from '../messages/terms.en.json' with { type: 'json' }
import zh from '../messages/terms.zh.json' with { type: 'json' }

export const termsTexts = defineTexts({ zh, en })

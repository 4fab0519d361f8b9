import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

export const devTexts = defineTexts({ zh, en })

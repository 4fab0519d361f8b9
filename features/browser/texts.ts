import { defineTexts } from '#platform/shared/texts.ts'
import { browserErrors } from './errors.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

export const browserTexts = defineTexts({ zh, en }, browserErrors)

import { defineTexts } from '#platform/shared/texts.ts'
import en from '../messages/work.en.json' with { type: 'json' }
import zh from '../messages/work.zh.json' with { type: 'json' }

export const workTexts = defineTexts({ zh, en })

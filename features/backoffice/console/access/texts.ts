import { defineTexts } from '#platform/shared/texts.ts'
import en from '../messages/access.en.json' with { type: 'json' }
import zh from '../messages/access.zh.json' with { type: 'json' }

export const accessTexts = defineTexts({ zh, en })

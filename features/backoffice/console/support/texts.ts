import { defineTexts } from '#platform/shared/texts.ts'
import en from '../messages/support.en.json' with { type: 'json' }
import zh from '../messages/support.zh.json' with { type: 'json' }

export const supportDeskTexts = defineTexts({ zh, en })

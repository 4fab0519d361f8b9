import { defineTexts } from '#platform/shared/texts.ts'
import en from '../messages/bulk.en.json' with { type: 'json' }
import zh from '../messages/bulk.zh.json' with { type: 'json' }

export const bulkTexts = defineTexts({ zh, en })

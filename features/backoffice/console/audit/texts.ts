import { defineTexts } from '#platform/shared/texts.ts'
import en from '../messages/audit.en.json' with { type: 'json' }
import zh from '../messages/audit.zh.json' with { type: 'json' }

export const auditTexts = defineTexts({ zh, en })

import { defineTexts } from '#platform/shared/texts.ts'
import en from '../messages/staff.en.json' with { type: 'json' }
import zh from '../messages/staff.zh.json' with { type: 'json' }

export const staffTexts = defineTexts({ zh, en })

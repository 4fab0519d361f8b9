import { defineTexts } from '#platform/shared/texts.ts'
import en from '../messages/approvals.en.json' with { type: 'json' }
import zh from '../messages/approvals.zh.json' with { type: 'json' }

export const approvalTexts = defineTexts({ zh, en })

import { defineTexts } from '#platform/shared/texts.ts'
import en from '../../messages/rules.en.json' with { type: 'json' }
import zh from '../../messages/rules.zh.json' with { type: 'json' }

export const ruleTexts = defineTexts({ zh, en })

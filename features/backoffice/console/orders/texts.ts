import { defineTexts } from '#platform/shared/texts.ts'
import en from '../messages/money.en.json' with { type: 'json' }
import zh from '../messages/money.zh.json' with { type: 'json' }

export const moneyTexts = defineTexts({ zh, en })

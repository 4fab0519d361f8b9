import { defineTexts } from '#platform/shared/texts.ts'
import en from '../messages/customers.en.json' with { type: 'json' }
import zh from '../messages/customers.zh.json' with { type: 'json' }

export const customerTexts = defineTexts({ zh, en })

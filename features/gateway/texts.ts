import { defineTexts } from '#platform/shared/texts.ts'
import { gatewayErrors } from './contract.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

export const gatewayTexts = defineTexts({ zh, en }, gatewayErrors)

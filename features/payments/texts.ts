import { defineTexts, type TextKeyOf } from '#platform/shared/texts.ts'
import { paymentErrors } from './errors.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

export const paymentTexts = defineTexts({ zh, en }, paymentErrors)
export type PaymentTextKey = TextKeyOf<typeof paymentTexts>

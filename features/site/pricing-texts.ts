import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/pricing.en.json' with { type: 'json' }
import zh from './messages/pricing.zh.json' with { type: 'json' }

/** Apart from the landing page's texts, which everybody loads. */
export const pricingTexts = defineTexts(zh, en)

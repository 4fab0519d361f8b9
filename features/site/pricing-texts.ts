import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/pricing.en.json' with { type: 'json' }
import zh from './messages/pricing.zh.json' with { type: 'json' }

/** Texts of the pricing page, separate from the landing page's, which all visitors load. */
export const pricingTexts = defineTexts({ zh, en })

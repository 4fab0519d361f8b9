import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/service.en.json' with { type: 'json' }
import zh from './messages/service.zh.json' with { type: 'json' }

/** The hub of all services, and a landing page for each: apart from the landing page's texts. */
export const siteServiceTexts = defineTexts(zh, en)

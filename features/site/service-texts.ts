import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/service.en.json' with { type: 'json' }
import zh from './messages/service.zh.json' with { type: 'json' }

/** Texts of the service hub and of each service's landing page, separate from the site's landing page. */
export const siteServiceTexts = defineTexts({ zh, en })

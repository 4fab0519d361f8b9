import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/help.en.json' with { type: 'json' }
import zh from './messages/help.zh.json' with { type: 'json' }

/** Texts of the help centre, separate from the landing page's; the articles are in help/content. */
export const helpTexts = defineTexts({ zh, en })

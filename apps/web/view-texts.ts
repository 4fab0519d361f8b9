import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/view.en.json' with { type: 'json' }
import zh from './messages/view.zh.json' with { type: 'json' }

/** Said only where an operator looks: they do not travel with the pages. */
export const viewTexts = defineTexts(zh, en)

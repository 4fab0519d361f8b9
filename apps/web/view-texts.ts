import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/view.en.json' with { type: 'json' }
import zh from './messages/view.zh.json' with { type: 'json' }

/** Texts for operators' views only: pages do not load them. */
export const viewTexts = defineTexts({ zh, en })

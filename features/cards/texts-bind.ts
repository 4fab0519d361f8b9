import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/bind.en.json' with { type: 'json' }
import zh from './messages/bind.zh.json' with { type: 'json' }

/** The binding helper: loaded with it. */
export const bindTexts = defineTexts({ zh, en })

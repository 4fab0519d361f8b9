import { commonErrors } from './errors.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }
import { defineTexts } from './texts.ts'

/** Texts of the errors that any endpoint can return. */
export const commonTexts = defineTexts({ zh, en }, commonErrors)

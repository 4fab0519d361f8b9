import en from './messages/unknown.en.json' with { type: 'json' }
import zh from './messages/unknown.zh.json' with { type: 'json' }
import { defineTexts } from './texts.ts'

/** Shown for a state that this version has no text for, such as one that a newer server sends to an older page. */
export const unknownTexts = defineTexts({ zh, en })

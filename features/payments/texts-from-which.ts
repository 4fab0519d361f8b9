import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/from-which.en.json' with { type: 'json' }
import zh from './messages/from-which.zh.json' with { type: 'json' }

/** Balance or rewards: loaded with the withdrawal, not with every payment. */
export const fromWhichTexts = defineTexts(zh, en)

import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/en.json' with { type: 'json' }
import zh from './messages/zh.json' with { type: 'json' }

/** The page of upgrades. */
export const upgradeTexts = defineTexts(zh, en)

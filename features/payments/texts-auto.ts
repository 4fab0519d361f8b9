import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/auto.en.json' with { type: 'json' }
import zh from './messages/auto.zh.json' with { type: 'json' }

/** The card and the dialog of auto recharge: loaded with them. The words of `auto_consent_*` have the version CONSENT_VERSION. */
export const autoTexts = defineTexts(zh, en)

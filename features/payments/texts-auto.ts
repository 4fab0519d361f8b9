import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/auto.en.json' with { type: 'json' }
import zh from './messages/auto.zh.json' with { type: 'json' }

/** Texts of the auto recharge card and dialog, loaded with them. The texts `auto_consent_*` have the version CONSENT_VERSION. */
export const autoTexts = defineTexts({ zh, en })

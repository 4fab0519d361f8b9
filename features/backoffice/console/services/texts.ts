import { defineTexts } from '#platform/shared/texts.ts'
import en from '../messages/services.en.json' with { type: 'json' }
import zh from '../messages/services.zh.json' with { type: 'json' }

/** The services' desk and the review of rewards. */
export const serviceDeskTexts = defineTexts(zh, en)

import { defineTexts } from '#platform/shared/texts.ts'
import en from '../messages/services.en.json' with { type: 'json' }
import zh from '../messages/services.zh.json' with { type: 'json' }

/** Texts of the services' desk and of the review of rewards. */
export const serviceDeskTexts = defineTexts({ zh, en })

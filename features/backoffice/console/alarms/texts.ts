import { defineTexts } from '#platform/shared/texts.ts'
import en from '../messages/alarms.en.json' with { type: 'json' }
import zh from '../messages/alarms.zh.json' with { type: 'json' }

/** The panels of alarms; what each alarm is called stands in `alarm-texts.ts`, for mails too. */
export const panelTexts = defineTexts(zh, en)

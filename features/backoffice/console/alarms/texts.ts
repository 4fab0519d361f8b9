import { defineTexts } from '#platform/shared/texts.ts'
import en from '../messages/alarms.en.json' with { type: 'json' }
import zh from '../messages/alarms.zh.json' with { type: 'json' }

/** Texts of the alarm panels; the alarms' names are in `alarm-texts.ts`, because mails use them too. */
export const panelTexts = defineTexts({ zh, en })

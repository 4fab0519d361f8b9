import { defineTexts, createTextLookup } from '#platform/shared/texts.ts'
import en from './messages/alarms.en.json' with { type: 'json' }
import zh from './messages/alarms.zh.json' with { type: 'json' }

/** Alarm names and the texts of alarm mails. */
export const alarmTexts = defineTexts({ zh, en })
/** Alarm names by alarm id. */
export const alarmWords = createTextLookup(alarmTexts, 'alarm_')
export const severityWords = createTextLookup(alarmTexts, 'severity_')

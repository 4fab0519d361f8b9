import { defineTexts, wordsOf } from '#platform/shared/texts.ts'
import en from './messages/alarms.en.json' with { type: 'json' }
import zh from './messages/alarms.zh.json' with { type: 'json' }

/** What alarms are called, and the mails about them. */
export const alarmTexts = defineTexts(zh, en)
/** What an alarm is called, by its name. */
export const alarmWords = wordsOf(alarmTexts, 'alarm_')
export const severityWords = wordsOf(alarmTexts, 'severity_')

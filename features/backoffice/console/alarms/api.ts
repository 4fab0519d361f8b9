import { useLang } from '#platform/web/i18n.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { alarmWords } from '../../alarm-texts.ts'
import { alarmsContract } from '../../contract-alarms.console.ts'
import { createConsoleApi } from '../kit/api.ts'

export const alarmsApi = createConsoleApi(alarmsContract)
export type Alarm = ReplyOf<(typeof alarmsContract)['alarms']>['rows'][number]
export type AlarmRoute = ReplyOf<(typeof alarmsContract)['alarmWays']>['ways'][number]
export const SEVERITY_TONES = { minor: 'neutral', serious: 'warning', critical: 'danger' } as const
export const DELIVERY_TONES = { waiting: 'info', sent: 'success', failed: 'danger' } as const

/** Returns a function that maps an alarm id to its name in the operator's language. */
export function useAlarmName(): (name: string) => string {
  const lang = useLang()
  return (name) => alarmWords(lang, name) ?? name
}

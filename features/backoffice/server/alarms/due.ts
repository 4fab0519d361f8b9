import { isAtLeastSeverity } from '../../alarms.ts'
import type { AlarmSeverity } from '../../alarms.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440
const SHANGHAI_MINUTES = 480

export interface DueAlarm {
  readonly severity: AlarmSeverity
  readonly raisedAt: Date
  readonly takenBy: string | null
}
export interface DueRoute {
  readonly severity: AlarmSeverity
  readonly waitMinutes: number
  readonly quietFrom: number | null
  readonly quietTo: number | null
}

/** Checks if `now` is in the route's quiet hours, which may span midnight. */
export function isQuietHours({ quietFrom: from, quietTo: to }: DueRoute, now: Date): boolean {
  if (from === null || to === null) return false
  const minute = (Math.floor(now.getTime() / MINUTE_MS) + SHANGHAI_MINUTES) % DAY_MINUTES
  return from < to ? minute >= from && minute < to : minute >= from || minute < to
}

/**
 * Checks if a route is due to be notified of an alarm. Alarms that an operator took, or that are younger than the route's delay, are not sent.
 * In quiet hours critical alarms are sent, serious ones once they are open for `escalateMinutes`, minor ones only after the quiet hours.
 */
export function isAlarmDue(alarm: DueAlarm, way: DueRoute, { now, escalateMinutes }: { readonly now: Date; readonly escalateMinutes: number }): boolean {
  if (alarm.takenBy !== null || !isAtLeastSeverity(alarm.severity, way.severity)) return false
  const open = (now.getTime() - alarm.raisedAt.getTime()) / MINUTE_MS
  if (open < way.waitMinutes) return false
  if (!isQuietHours(way, now) || alarm.severity === 'critical') return true
  return alarm.severity === 'serious' && open >= Math.max(escalateMinutes, way.waitMinutes)
}

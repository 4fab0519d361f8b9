import { atLeast } from '../../alarms.ts'
import type { Severity } from '../../alarms.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440
const SHANGHAI_MINUTES = 480

export interface DueAlarm {
  readonly severity: Severity
  readonly raised_at: Date
  readonly taken_by: string | null
}
export interface DueWay {
  readonly severity: Severity
  readonly wait_minutes: number
  readonly quiet_from: number | null
  readonly quiet_to: number | null
}

/** Whether it is one of the hours in which the way is left alone; they may pass midnight. */
export function isQuiet({ quiet_from: from, quiet_to: to }: DueWay, now: Date): boolean {
  if (from === null || to === null) return false
  const minute = (Math.floor(now.getTime() / MINUTE_MS) + SHANGHAI_MINUTES) % DAY_MINUTES
  return from < to ? minute >= from && minute < to : minute >= from || minute < to
}

/**
 * Whether a way is told of an alarm by now. Nobody is told of what somebody has taken, or before the way's own wait is over.
 * In quiet hours a critical alarm rings all the same, a serious one when nobody has taken it for `escalateMinutes`, a minor one
 * waits for their end.
 */
export function isDue(alarm: DueAlarm, way: DueWay, now: Date, escalateMinutes: number): boolean {
  if (alarm.taken_by !== null || !atLeast(alarm.severity, way.severity)) return false
  const open = (now.getTime() - alarm.raised_at.getTime()) / MINUTE_MS
  if (open < way.wait_minutes) return false
  if (!isQuiet(way, now) || alarm.severity === 'critical') return true
  return alarm.severity === 'serious' && open >= Math.max(escalateMinutes, way.wait_minutes)
}

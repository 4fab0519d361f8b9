import { expect, test } from 'vitest'
import { isAlarmDue, isQuietHours } from './notify-alarms.ts'
import type { DueAlarm, DueRoute } from './notify-alarms.ts'

// 23:30 in Shanghai
const NIGHT = new Date('2026-11-23T15:30:00Z')
const NOON = new Date('2026-11-23T04:00:00Z')
const alarm = (
  severity: DueAlarm['severity'],
  minutesAgo: number,
  { now, takenBy = null }: { readonly now: Date; readonly takenBy?: string | null },
): DueAlarm => ({
  severity,
  takenBy,
  raisedAt: new Date(now.getTime() - minutesAgo * 60_000),
})
const way = (wish: Partial<DueRoute> = {}): DueRoute => ({ severity: 'minor', waitMinutes: 0, quietFrom: 22 * 60, quietTo: 7 * 60, ...wish })

test('quiet hours may pass midnight, and begin and end on the minute', () => {
  expect(isQuietHours(way(), NIGHT)).toBe(true)
  expect(isQuietHours(way(), NOON)).toBe(false)
  expect(isQuietHours(way({ quietFrom: null, quietTo: null }), NIGHT)).toBe(false)
  expect(isQuietHours(way(), new Date('2026-11-23T14:00:00Z'))).toBe(true)
  expect(isQuietHours(way(), new Date('2026-11-23T13:59:59Z'))).toBe(false)
  expect(isQuietHours(way(), new Date('2026-11-23T23:00:00Z'))).toBe(false)
  expect(isQuietHours(way({ quietFrom: 11 * 60, quietTo: 13 * 60 }), NOON)).toBe(true)
})

test('a way receives alarms of its severity and above, after its wait, and none that an operator has taken', () => {
  expect(isAlarmDue(alarm('minor', 0, { now: NOON }), way({ severity: 'serious' }), { now: NOON, escalateMinutes: 30 })).toBe(false)
  expect(isAlarmDue(alarm('serious', 0, { now: NOON }), way({ severity: 'serious' }), { now: NOON, escalateMinutes: 30 })).toBe(true)
  expect(isAlarmDue(alarm('serious', 9, { now: NOON }), way({ waitMinutes: 10 }), { now: NOON, escalateMinutes: 30 })).toBe(false)
  expect(isAlarmDue(alarm('serious', 10, { now: NOON }), way({ waitMinutes: 10 }), { now: NOON, escalateMinutes: 30 })).toBe(true)
  expect(isAlarmDue(alarm('critical', 99, { now: NOON, takenBy: 'opr_1' }), way(), { now: NOON, escalateMinutes: 30 })).toBe(false)
})

test('at night a critical alarm rings, a serious one rings after 30 minutes untaken, a minor one waits for the morning', () => {
  expect(isAlarmDue(alarm('critical', 0, { now: NIGHT }), way(), { now: NIGHT, escalateMinutes: 30 })).toBe(true)
  expect(isAlarmDue(alarm('serious', 29, { now: NIGHT }), way(), { now: NIGHT, escalateMinutes: 30 })).toBe(false)
  expect(isAlarmDue(alarm('serious', 30, { now: NIGHT }), way(), { now: NIGHT, escalateMinutes: 30 })).toBe(true)
  expect(isAlarmDue(alarm('serious', 30, { now: NIGHT }), way({ waitMinutes: 45 }), { now: NIGHT, escalateMinutes: 30 })).toBe(false)
  expect(isAlarmDue(alarm('minor', 600, { now: NIGHT }), way(), { now: NIGHT, escalateMinutes: 30 })).toBe(false)
  expect(isAlarmDue(alarm('minor', 600, { now: NOON }), way(), { now: NOON, escalateMinutes: 30 })).toBe(true)
})

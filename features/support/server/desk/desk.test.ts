import { expect, test } from 'vitest'
import { computeOpening } from './desk.ts'

const at = (text: string) => new Date(`${text}+08:00`)
const everyDay = [1, 2, 3, 4, 5, 6, 7]
const weekdays = [1, 2, 3, 4, 5]

// 2026-11-20 is a Friday.
test.each([
  [everyDay, '10:00', '20:00', '2026-11-20T10:00:00', true, null],
  [everyDay, '10:00', '20:00', '2026-11-20T19:59:59', true, null],
  [everyDay, '10:00', '20:00', '2026-11-20T20:00:00', false, '2026-11-21T10:00:00'],
  [everyDay, '10:00', '20:00', '2026-11-20T09:59:59', false, '2026-11-20T10:00:00'],
  [weekdays, '10:00', '20:00', '2026-11-20T21:00:00', false, '2026-11-23T10:00:00'],
  [weekdays, '10:00', '20:00', '2026-11-22T12:00:00', false, '2026-11-23T10:00:00'],
  [[5], '10:00', '20:00', '2026-11-20T20:30:00', false, '2026-11-27T10:00:00'],
  [[5], '22:00', '02:00', '2026-11-21T01:30:00', true, null],
  [[5], '22:00', '02:00', '2026-11-21T02:00:00', false, '2026-11-27T22:00:00'],
  [everyDay, '00:00', '00:00', '2026-11-20T03:00:00', true, null],
  [[], '10:00', '20:00', '2026-11-20T12:00:00', false, null],
])('%j %s–%s at %s', (days, from, to, now, open, opensAt) => {
  expect(computeOpening({ days, from, to }, at(now))).toEqual({ open, opensAt: opensAt ? at(opensAt) : null })
})

import { expect, test } from 'vitest'
import { listSnoozeTimes } from './conversation-actions.tsx'

const at = (text: string) => Date.parse(`${text}+08:00`)
const timesAt = (now: string) => Object.fromEntries(listSnoozeTimes(at(now)).map(({ key, at: ms }) => [key, ms]))

// 2026-11-20 is a Friday.
test.each([
  ['2026-11-20T23:30:00', '2026-11-21T10:00:00', '2026-11-23T10:00:00'],
  ['2026-11-20T00:10:00', '2026-11-21T10:00:00', '2026-11-23T10:00:00'],
  ['2026-11-22T12:00:00', '2026-11-23T10:00:00', '2026-11-30T10:00:00'],
  ['2026-11-23T09:00:00', '2026-11-24T10:00:00', '2026-11-30T10:00:00'],
])('from %s: tomorrow %s, Monday %s', (now, tomorrow, monday) => {
  expect(timesAt(now)).toEqual({ hour: at(now) + 3_600_000, hours: at(now) + 4 * 3_600_000, tomorrow: at(tomorrow), monday: at(monday) })
})

import { expect, test } from 'vitest'
import { describeOpening } from './opening-text.ts'

test('a desk opens today, tomorrow, or on a day, by the calendar of Shanghai', () => {
  const at = '2026-11-26T02:00:00Z' // ten o'clock
  expect(describeOpening(at, Date.parse('2026-11-25T16:00:00Z'))).toEqual(['opens_today', { time: '10:00' }])
  expect(describeOpening(at, Date.parse('2026-11-25T15:59:59Z'))).toEqual(['opens_tomorrow', { time: '10:00' }])
  expect(describeOpening(at, Date.parse('2026-11-24T15:59:59Z'))).toEqual(['opens', { time: '11-26 10:00' }])
  expect(describeOpening('2027-01-01T02:00:00Z', Date.parse('2026-12-31T12:00:00Z'))).toEqual(['opens_tomorrow', { time: '10:00' }])
})

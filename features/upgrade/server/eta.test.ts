import { expect, test } from 'vitest'
import { addOpenMs, estimateCompletion, computeOpenMs, computeQueuePace } from './eta.ts'

const HOURS = { from: 10, to: 20 }
/** Shanghai time. */
const at = (text: string) => new Date(`2026-11-${text}:00+08:00`)
const MINUTE = 60_000

test('only open time counts, over nights too', () => {
  expect(computeOpenMs(at('23T19:50'), at('24T10:05'), HOURS)).toBe(15 * MINUTE)
  expect(computeOpenMs(at('23T21:00'), at('23T23:00'), HOURS)).toBe(0)
  expect(computeOpenMs(at('23T12:00'), at('25T12:00'), HOURS)).toBe(20 * 60 * MINUTE)
  expect(addOpenMs(at('23T14:36'), 11 * MINUTE, HOURS)).toEqual(at('23T14:47'))
  expect(addOpenMs(at('23T19:55'), 11 * MINUTE, HOURS)).toEqual(at('24T10:06'))
  expect(addOpenMs(at('23T08:00'), 11 * MINUTE, HOURS)).toEqual(at('23T10:11'))
  expect(addOpenMs(at('23T22:00'), 25 * 60 * MINUTE, HOURS)).toEqual(at('26T15:00'))
})

test('the pace is the median of the last orders, counted from when the desk could begin', () => {
  const ended = (started: string, finished: string) => ({ queuedAt: at(started), endedAt: at(finished) })
  const rows = [
    ended('23T14:00', '23T14:20'), // waited for the previous order: 4 minutes
    ended('23T14:00', '23T14:16'), // 4
    ended('23T14:00', '23T14:12'), // 2 minutes, begun at once after 14:10
    ended('23T14:05', '23T14:10'), // 5
    ended('22T21:00', '23T10:03'), // overnight: 3
  ]
  expect(computeQueuePace(rows, HOURS)).toBe(4 * MINUTE)
  expect(computeQueuePace(rows.slice(0, 4), HOURS)).toBeUndefined()
})

test('the expected wait covers the orders ahead and the own one, is at least a minute, and adds the night', () => {
  expect(estimateCompletion(at('23T14:36'), 3, { pace: 2.75 * MINUTE, hours: HOURS })).toEqual({ minutes: 11, ready: at('23T14:47') })
  expect(estimateCompletion(at('23T14:36'), 0, { pace: 1, hours: HOURS }).minutes).toBe(1)
  expect(estimateCompletion(at('23T19:58'), 0, { pace: 4 * MINUTE, hours: HOURS })).toEqual({ minutes: 844, ready: at('24T10:02') })
})

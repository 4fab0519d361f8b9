import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pollUntil } from './load-script.ts'
import { computeOffsets, type Boot } from './port.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Resolves to the outcome, so that a rejection is never unhandled. */
const outcomeOf = (wait: Promise<void>) =>
  wait.then(
    () => 'found',
    (error: Error) => error.message,
  )

test.each([
  ['100 ms, for 5 s', { everyMs: 100, forMs: 5_000 }, 51, 5_000],
  ['200 ms, for 10 s, by default', undefined, 51, 10_000],
])('polls every %s, and says what is missing', async (_, polling, looks, endsMs) => {
  const there = vi.fn<() => boolean>(() => false)
  const wait = outcomeOf(pollUntil(there, 'Intercom check timeout', polling))
  await vi.advanceTimersByTimeAsync(endsMs - 1)
  expect(there).toHaveBeenCalledTimes(looks - 1)
  await vi.advanceTimersByTimeAsync(1)
  expect([await wait, there.mock.calls.length]).toEqual(['Intercom check timeout', looks])
})

test('ends with the first poll that finds it', async () => {
  let ready = false
  setTimeout(() => (ready = true), 250)
  const wait = outcomeOf(pollUntil(() => ready, 'late'))
  await vi.advanceTimersByTimeAsync(400)
  expect([await wait, vi.getTimerCount()]).toEqual(['found', 0])
})

test('the widget stands where the setting says, higher on phones and highest for their visitors', () => {
  const boot = { place: { zIndex: 1, right: 20, bottom: 100, mobileBottom: 110, visitorMobileBottom: 160 } } as Boot
  expect(computeOffsets(boot, { mobile: false, signedIn: false })).toEqual({ right: 20, bottom: 100 })
  expect(computeOffsets(boot, { mobile: true, signedIn: true })).toEqual({ right: 20, bottom: 110 })
  expect(computeOffsets(boot, { mobile: true, signedIn: false })).toEqual({ right: 20, bottom: 160 })
})

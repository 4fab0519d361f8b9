import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { waitFor } from './load-script.ts'
import { offsets, type Boot } from './port.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('looks as often and for as long as it is told, and says what is missing', async () => {
  const there = vi.fn<() => boolean>(() => false)
  const waits = waitFor(there, 100, 5_000, 'Intercom check timeout').then(
    () => 'found',
    (error: Error) => error.message,
  )
  await vi.advanceTimersByTimeAsync(4_999)
  expect(there).toHaveBeenCalledTimes(50)
  await vi.advanceTimersByTimeAsync(1)
  expect(await waits).toBe('Intercom check timeout')
  let ready = false
  setTimeout(() => (ready = true), 2_500)
  const found = waitFor(() => ready, 1_000, 60_000, 'late')
  await vi.advanceTimersByTimeAsync(3_000)
  await found
})

test('the widget stands where the setting says, higher on phones and highest for their visitors', () => {
  const boot = { place: { zIndex: 1, right: 20, bottom: 100, mobileBottom: 110, visitorMobileBottom: 160 } } as Boot
  expect(offsets(boot, { mobile: false, signedIn: false })).toEqual({ right: 20, bottom: 100 })
  expect(offsets(boot, { mobile: true, signedIn: true })).toEqual({ right: 20, bottom: 110 })
  expect(offsets(boot, { mobile: true, signedIn: false })).toEqual({ right: 20, bottom: 160 })
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRepeater, FIRST_RUN_MS } from './repeat.ts'

const HOUR = 3_600_000
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const failures: unknown[] = []
const repeater = () => createRepeater({ error: (fields: unknown) => void failures.push(fields) } as never)

test('a job of every hour runs soon after the start, then an hour after the end of each run', async () => {
  const jobs = repeater()
  let runs = 0
  jobs.add('hourly', HOUR, async () => {
    runs++
    await new Promise((done) => setTimeout(done, 60_000))
  })
  expect(runs).toBe(0)
  await vi.advanceTimersByTimeAsync(FIRST_RUN_MS)
  expect(runs).toBe(1)
  await vi.advanceTimersByTimeAsync(60_000 + HOUR - FIRST_RUN_MS - 1)
  expect(runs).toBe(1)
  await vi.advanceTimersByTimeAsync(FIRST_RUN_MS + 1)
  expect(runs).toBe(2)
  void jobs.stop()
})

test('first runs are spread, and that of a quick job comes within its interval', async () => {
  const jobs = repeater()
  const moments: number[] = []
  const start = Date.now()
  for (let at = 0; at < 50; at++) jobs.add(`job ${at}`, HOUR, async () => void moments.push(Date.now() - start))
  const quick: number[] = []
  for (let at = 0; at < 50; at++) jobs.add(`quick ${at}`, 100, async () => void quick.push(Date.now() - start))
  await vi.advanceTimersByTimeAsync(99)
  expect(quick).toHaveLength(50)
  await vi.advanceTimersByTimeAsync(FIRST_RUN_MS)
  expect(moments).toHaveLength(50)
  expect(new Set(moments).size).toBeGreaterThan(25)
  void jobs.stop()
})

test('a failed run is logged by name and the next one follows; a stop waits for the current run, and none comes after it', async () => {
  const jobs = repeater()
  let runs = 0
  let finish = () => {}
  jobs.add('troubled', 1_000, async () => {
    runs++
    if (runs === 1) throw new Error('no network')
    await new Promise<void>((done) => {
      finish = done
    })
  })
  await vi.advanceTimersByTimeAsync(FIRST_RUN_MS)
  expect([runs, failures]).toEqual([1, [{ err: new Error('no network'), job: 'troubled' }]])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(runs).toBe(2)
  let isStopped = false
  const stopped = jobs.stop().then(() => {
    isStopped = true
  })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(isStopped).toBe(false)
  finish()
  await stopped
  await vi.advanceTimersByTimeAsync(HOUR)
  expect(runs).toBe(2)
})

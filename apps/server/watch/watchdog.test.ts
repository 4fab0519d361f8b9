import { expect, test } from 'vitest'
import { createWatchdog } from './watchdog.ts'
import type { WriteResult } from './write-probe.ts'

interface Message {
  readonly key: string
  readonly state: string
}

function aWatchdog() {
  let at = 0
  let isThere = true
  const sent: string[] = []
  const beats: string[] = []
  const fetch = (async (url: string, init: RequestInit) => {
    if (init.method === undefined) beats.push(url)
    else if (isThere) {
      const { key, state } = JSON.parse(init.body as string) as Message
      sent.push(`${key} ${state}`)
    }
    return new Response(null, { status: isThere ? 204 : 502 })
  }) as typeof globalThis.fetch
  let warned = 0
  const log = { error: () => {}, warn: () => void warned++, info: () => {} }
  const watchdog = createWatchdog({ alarmUrl: 'http://alarm.example/', heartbeatUrl: 'http://beat.example/', log, now: () => at, fetch })
  const see = async (ms: number, written: Partial<WriteResult>) => {
    at += ms
    watchdog.observe({ failingSince: undefined, at, lookAgeMs: 5_000, ...written })
    // Delivery takes a few ticks of the event loop.
    for (let turn = 0; turn < 5; turn++) await new Promise((done) => setImmediate(done))
  }
  return { see, sent, beats, warned: () => warned, receiver: (is: boolean) => (isThere = is) }
}

test('a database that takes no write for 15 seconds is reported once, and its return', async () => {
  const { see, sent } = aWatchdog()
  await see(0, {})
  await see(10_000, { failingSince: 1_000 })
  expect(sent).toEqual([])
  await see(6_000, { failingSince: 1_000 })
  await see(2_000, { failingSince: 1_000 })
  expect(sent).toEqual(['database.unwritable raised'])
  await see(2_000, {})
  expect(sent).toEqual(['database.unwritable raised', 'database.unwritable over'])
})

test('alarm checks that stop are reported, also where there never was one', async () => {
  const { see, sent } = aWatchdog()
  await see(59_000, { lookAgeMs: undefined })
  expect(sent).toEqual([])
  await see(2_000, { lookAgeMs: undefined })
  await see(2_000, { lookAgeMs: 3_000 })
  await see(2_000, { lookAgeMs: 61_000 })
  expect(sent).toEqual(['worker.silent raised', 'worker.silent over', 'worker.silent raised'])
})

test('an unreachable receiver gets the alarms later, in order', async () => {
  const { see, sent, receiver, warned } = aWatchdog()
  receiver(false)
  await see(20_000, { failingSince: 0 })
  await see(2_000, {})
  expect(warned()).toBeGreaterThan(0)
  receiver(true)
  await see(2_000, {})
  expect(sent).toEqual(['database.unwritable raised', 'database.unwritable over'])
})

test('the heartbeat is sent once a minute, and only while writes and alarm checks run', async () => {
  const { see, beats } = aWatchdog()
  await see(0, {})
  await see(30_000, {})
  expect(beats).toHaveLength(1)
  await see(31_000, { failingSince: 60_000 })
  await see(2_000, { lookAgeMs: 70_000 })
  await see(2_000, { lookAgeMs: undefined })
  expect(beats).toHaveLength(1)
  await see(2_000, {})
  expect(beats).toHaveLength(2)
})

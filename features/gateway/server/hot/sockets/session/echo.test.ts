import { once } from 'node:events'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { closeSockets, openHeldSession, REALTIME_FRAMES } from '../../testing/held-session.ts'
import type { HeldSession } from '../../testing/held-session.ts'
import { waitForCondition } from '../../testing/lab.ts'
import { createRealtimeProtocol } from '../realtime.ts'
import { recordFrameWithoutPong, isAnswerTimeOver } from './echo.ts'

describe('a late vendor: speech counts until the vendor has had time to answer', () => {
  const HALF = { type: 'input_audio_buffer.append', audio: 'A'.repeat(32_000) }
  const SECOND = { type: 'input_audio_buffer.append', audio: 'A'.repeat(64_000) }
  const say = (to: WebSocket, frame: object): void => to.send(JSON.stringify(frame))
  const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms)
  afterEach(() => {
    vi.useRealTimers()
    closeSockets()
  })

  /** Simulates real-time speech, with money for the next answer and up to two more. */
  async function speakTo(vendorIs: (held: HeldSession) => void, keepsUp = false): Promise<{ held: HeldSession; went: () => number }> {
    vi.useFakeTimers({ toFake: ['Date'] })
    const held = await openHeldSession((fake) => createRealtimeProtocol(fake.deps))
    say(held.vendor, { type: 'session.updated', session: { type: 'realtime', audio: { input: { format: { type: 'audio/pcm' } } } } })
    await waitForCondition(() => held.client.heard.length === 1 && held.talk.echo.pingedAt === undefined)
    const { admit } = held.fake.deps.journal
    const most = 3n * held.talk.stake.total
    held.fake.deps.journal.admit = (key, amount) => (held.talk.stake.total + amount > most ? 'insufficient_balance' : admit(key, amount))
    vendorIs(held)
    let went = 0
    const send = held.talk.upstream.send.bind(held.talk.upstream) as (...of: unknown[]) => void
    held.talk.upstream.send = (...of: unknown[]) => {
      if (String(of[0]).includes('append')) went++
      send(...of)
    }
    for (let n = 0; n < 24; n++) {
      const before = held.talk.lastAt
      pass(500)
      say(held.client, HALF)
      // processed, or queued behind a frame that waits
      await waitForCondition(() => held.talk.lastAt > before || held.talk.waiting.length > 0)
      await waitForCondition(() => went === n + 1 || held.talk.waiting.length > 0)
      if (keepsUp) await waitForCondition(() => held.talk.echo.heardUntil === Date.now())
      held.session.look(Date.now())
    }
    return { held, went: () => went }
  }

  test('a vendor that keeps up gets all speech', async () => {
    const { held, went } = await speakTo(() => undefined, true)
    expect([went(), held.talk.waiting.length]).toEqual([24, 0])
  })

  test('a vendor that reads nothing gets no more speech than there is money to answer, and all of it once it reads', async () => {
    const { held, went } = await speakTo(({ vendor }) => vendor.pause())
    expect(went()).toBeLessThan(12)
    held.vendor.resume()
    await waitForCondition(() => {
      pass(1_000)
      return went() === 24
    })
    expect(held.talk.ending).toBeUndefined()
  })

  test('a vendor that echoes at once and answers late: a burst of speech counts until the answer, or for five seconds', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const held = await openHeldSession((fake) => createRealtimeProtocol(fake.deps))
    say(held.vendor, { type: 'session.updated', session: { type: 'realtime', audio: { input: { format: { type: 'audio/pcm' } } } } })
    await waitForCondition(() => held.client.heard.length === 1 && held.talk.echo.pingedAt === undefined)
    const { admit } = held.fake.deps.journal
    const most = 3n * held.talk.stake.total
    held.fake.deps.journal.admit = (key, amount) => (held.talk.stake.total + amount > most ? 'insufficient_balance' : admit(key, amount))
    for (let n = 0; n < 6; n++) say(held.client, SECOND)
    const heard = () => held.vendor.heard.filter((text) => text.includes('append')).length
    await waitForCondition(() => heard() > 0 && held.talk.waiting.length > 0)
    const first = heard()
    expect(first).toBeLessThan(4)
    const later = async (ms: number) => {
      pass(ms)
      await waitForCondition(() => held.talk.echo.heardUntil === Date.now())
      held.session.look(Date.now())
      await new Promise((soon) => setTimeout(soon, 20))
    }
    // the first echo behind it comes back within a second
    for (let second = 1; second < 6; second++) await later(1_000)
    expect(heard()).toBe(first)
    await later(1_000)
    await waitForCondition(() => heard() > first)
  })

  test('a stalled vendor that hears a burst of speech late has its five seconds from then on', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const held = await openHeldSession((fake) => createRealtimeProtocol(fake.deps))
    say(held.vendor, { type: 'session.updated', session: { type: 'realtime', audio: { input: { format: { type: 'audio/pcm' } } } } })
    await waitForCondition(() => held.client.heard.length === 1 && held.talk.echo.pingedAt === undefined)
    const { admit } = held.fake.deps.journal
    const most = 3n * held.talk.stake.total
    held.fake.deps.journal.admit = (key, amount) => (held.talk.stake.total + amount > most ? 'insufficient_balance' : admit(key, amount))
    held.vendor.pause()
    for (let n = 0; n < 6; n++) say(held.client, SECOND)
    await waitForCondition(() => held.talk.spoken.wentAt.length > 0 && held.talk.waiting.length > 0)
    const first = held.talk.spoken.wentAt.length
    expect(first).toBeLessThan(4)
    pass(6_000)
    held.vendor.resume()
    const heard = () => held.vendor.heard.filter((text) => text.includes('append')).length
    const echoed = async () => {
      await waitForCondition(() => held.talk.echo.heardUntil === Date.now())
      held.session.look(Date.now())
      await new Promise((soon) => setTimeout(soon, 20))
    }
    await echoed()
    for (let second = 0; second < 4; second++) {
      expect(heard()).toBe(first)
      pass(1_000)
      await echoed()
    }
    expect(heard()).toBe(first)
    await waitForCondition(() => {
      pass(1_000)
      return heard() > first
    })
    // and the session stays open for that long
    expect(held.talk.ending).toBeUndefined()
  })

  test('a frame of three seconds, with money for one answer, waits for the vendor’s time, not for ever', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const held = await openHeldSession((fake) => createRealtimeProtocol(fake.deps))
    say(held.vendor, { type: 'session.updated', session: { type: 'realtime', audio: { input: { format: { type: 'audio/pcm' } } } } })
    await waitForCondition(() => held.client.heard.length === 1 && held.talk.echo.pingedAt === undefined)
    const { admit } = held.fake.deps.journal
    const most = 2n * held.talk.stake.total
    held.fake.deps.journal.admit = (key, amount) => (held.talk.stake.total + amount > most ? 'insufficient_balance' : admit(key, amount))
    say(held.client, { ...SECOND, audio: 'A'.repeat(192_000) })
    await waitForCondition(() => held.talk.waiting.length > 0)
    const until10s = Date.now() + 10_000
    while (Date.now() < until10s && held.vendor.heard.every((text) => !text.includes('append'))) {
      pass(500)
      await new Promise((soon) => setTimeout(soon, 300))
    }
    expect([held.vendor.heard.filter((text) => text.includes('append')).length, held.talk.ending]).toEqual([1, undefined])
  })

  test('answers that have arrived and are not processed yet count', async () => {
    const held = await openHeldSession((fake) => createRealtimeProtocol(fake.deps))
    await waitForCondition(() => held.talk.echo.echoes)
    const { journal } = held.fake.deps
    const reserve = journal.reserve.bind(journal)
    let write: (() => void) | undefined
    journal.reserve = (...of) => new Promise<void>((done) => (write = done)).then(() => reserve(...of))
    say(held.vendor, REALTIME_FRAMES.begin)
    await waitForCondition(() => write !== undefined)
    const echoed = once(held.talk.upstream, 'pong')
    say(held.client, SECOND)
    await echoed
    expect(held.talk.echo.pingedAt).toBeDefined()
    write!()
    await waitForCondition(() => held.talk.echo.pingedAt === undefined && held.talk.running.size === 1)
  })

  test('a vendor that neither echoes nor says anything: after 45 seconds elapsed time counts', async () => {
    const { held, went } = await speakTo(({ talk, vendor }) => {
      vendor.pause()
      talk.echo.echoes = false
    })
    await waitForCondition(() => {
      pass(1_000)
      held.session.look(Date.now())
      return went() === 24
    })
  })

  /** A vendor that has not echoed yet and stops from now on. */
  async function standingStillFromTheStart(): Promise<HeldSession> {
    vi.useFakeTimers({ toFake: ['Date'] })
    const held = await openHeldSession((fake) => createRealtimeProtocol(fake.deps))
    Object.assign(held.fake.deps.limits, { drainMs: 60_000 })
    await waitForCondition(() => held.talk.echo.echoes)
    Object.assign(held.talk.echo, { echoes: false, back: [], overTo: 0 })
    held.vendor.pause()
    say(held.client, SECOND)
    await waitForCondition(() => held.talk.stirredAt > 0)
    return held
  }

  test('speech before a pause of 25 seconds without an echo is still answered and charged', async () => {
    const held = await standingStillFromTheStart()
    pass(25_000)
    held.session.look(Date.now())
    held.client.terminate()
    await waitForCondition(() => held.talk.gone)
    held.session.look(Date.now())
    expect(held.talk.over).toBe(false)
    held.vendor.resume()
    say(held.vendor, REALTIME_FRAMES.begin)
    say(held.vendor, REALTIME_FRAMES.end)
    await waitForCondition(() => held.fake.journal.settled.length === 1)
  })

  test('frames over 20 seconds without an echo: a second later, five seconds of elapsed time end the speech', async () => {
    const held = await standingStillFromTheStart()
    const { echo } = held.talk
    recordFrameWithoutPong(held.talk)
    pass(19_000)
    recordFrameWithoutPong(held.talk)
    pass(2_000)
    expect(isAnswerTimeOver(held.talk, held.talk.stirredAt)).toBe(false)
    recordFrameWithoutPong(held.talk)
    // delayed frames arrive with the echo behind them: allow a second for it
    expect([echo.echoes, isAnswerTimeOver(held.talk, held.talk.stirredAt)]).toEqual([false, false])
    pass(1_000)
    expect(isAnswerTimeOver(held.talk, held.talk.stirredAt)).toBe(true)
  })

  test('a vendor that disappears silently: after two minutes the session ends, and the money goes back', async () => {
    const held = await openHeldSession((fake) => createRealtimeProtocol(fake.deps))
    await waitForCondition(() => held.talk.echo.echoes)
    held.vendor.pause()
    say(held.client, SECOND)
    await waitForCondition(() => held.talk.echo.pingedAt !== undefined)
    held.session.look(held.talk.echo.pingedAt! + 119_000)
    expect(held.talk.over).toBe(false)
    held.session.look(held.talk.echo.pingedAt! + 120_000)
    await waitForCondition(() => held.client.closed !== undefined)
    expect(held.client.closed!.code).toBe(1011)
    expect(held.fake.journal.givenBack.length).toBeGreaterThan(0)
  })

  test('an answer is charged that begins ten seconds after the client spoke and left', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const held = await openHeldSession((fake) => createRealtimeProtocol(fake.deps))
    Object.assign(held.fake.deps.limits, { drainMs: 60_000 })
    await waitForCondition(() => held.talk.echo.echoes)
    held.vendor.pause()
    say(held.client, SECOND)
    await waitForCondition(() => held.talk.stirredAt > 0)
    held.client.terminate()
    await waitForCondition(() => held.talk.gone)
    pass(10_000)
    await new Promise((later) => setTimeout(later, 600))
    expect(held.talk.over).toBe(false)
    held.vendor.resume()
    say(held.vendor, REALTIME_FRAMES.begin)
    say(held.vendor, REALTIME_FRAMES.end)
    await waitForCondition(() => held.fake.journal.settled.length === 1)
  })
})

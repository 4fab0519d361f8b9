import { BlockList } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { closeSockets, openHeldSession, REALTIME_FRAMES } from '../../testing/held-session.ts'
import type { HeldSession } from '../../testing/held-session.ts'
import { waitForCondition } from '../../testing/lab.ts'
import { createRealtimeProtocol } from '../realtime.ts'

/** Key limits that the owner changes while a session is open. */
afterEach(closeSockets)

const open = (): Promise<HeldSession> => openHeldSession((fake) => createRealtimeProtocol(fake.deps))
const sendFrameObject = (to: HeldSession['client'], frame: object): void => to.send(JSON.stringify(frame))
const SPEECH = { type: 'input_audio_buffer.append', audio: 'A'.repeat(6_400) }
/** A session whose key gets counted limits while it is open. */
async function openCountedSession(): Promise<HeldSession> {
  const held = await open()
  held.fake.limit({ counted: true, budget: true })
  held.session.look(Date.now())
  return held
}

describe('an owner’s changes to a key apply to an open session', () => {
  test('a replaced secret ends its session when its time is over', async () => {
    const { fake, talk, session } = await open()
    fake.limit({ replacedAt: Date.now() + 60_000 })
    session.look(Date.now())
    expect(talk.ending).toBeUndefined()
    session.look(Date.now() + 60_000)
    expect([talk.ending, talk.over]).toEqual(['revoked', true])
  })

  test('limits hold from the next response on', async () => {
    const { fake, client, vendor } = await openCountedSession()
    sendFrameObject(client, { type: 'response.create' })
    await waitForCondition(() => vendor.heard.length === 1)
    expect(fake.quota.asks).toHaveLength(1)
  })

  const elsewhere = new BlockList()
  elsewhere.addAddress('192.0.2.1')
  test.each([
    ['model', { models: ['other'] }],
    ['address', { networks: elsewhere }],
  ])('a key that no longer allows its %s ends the session', async (_what, limits) => {
    const { fake, session, talk, client } = await open()
    Object.assign(talk.visit, { req: { headers: {}, socket: { remoteAddress: '192.0.2.2' } } })
    fake.limit(limits)
    session.look(Date.now())
    await waitForCondition(() => client.closed !== undefined)
    expect(client.closed).toEqual({ code: 1008, reason: 'model_not_allowed' })
    expect(talk.ending).toBe('barred')
  })
})

describe('the places of a session', () => {
  test('each place is taken under a distinct name, which is its response’s', async () => {
    const { fake, talk, client, vendor } = await openCountedSession()
    sendFrameObject(client, { type: 'response.create' })
    await waitForCondition(() => vendor.heard.length === 1)
    sendFrameObject(client, SPEECH)
    await waitForCondition(() => vendor.heard.length === 2)
    const transcription = { raw: REALTIME_FRAMES.end.response.usage, model: 'm' }
    talk.protocol.told = (
      (told) => (frame: Buffer) =>
        frame.includes('apart') ? [{ kind: 'apart', ...transcription }] : told(frame)
    )(talk.protocol.told)
    sendFrameObject(vendor, { type: 'apart' })
    for (const id of ['r1', 'r2']) {
      sendFrameObject(vendor, { ...REALTIME_FRAMES.begin, response: { id } })
      sendFrameObject(vendor, { ...REALTIME_FRAMES.end, response: { ...REALTIME_FRAMES.end.response, id } })
    }
    await waitForCondition(() => fake.journal.settled.length === 3)
    const names = fake.quota.asks.map(({ callId }) => callId)
    expect(new Set(names).size).toBe(names.length)
    expect(fake.journal.settled.map(({ callId }) => callId)).toEqual(['call_1_a1', ...names.slice(0, 2)])
    expect(fake.quota.ends.map(({ taken }) => taken.callId)).toEqual(names.slice(0, 2))
  })

  test('a place for a response that does not come is renewed; a running one’s is not: its row does that', async () => {
    const { fake, talk, session, client, vendor } = await openCountedSession()
    sendFrameObject(client, { type: 'response.create' })
    await waitForCondition(() => vendor.heard.length === 1)
    sendFrameObject(client, SPEECH)
    await waitForCondition(() => vendor.heard.length === 2)
    sendFrameObject(vendor, REALTIME_FRAMES.begin)
    await waitForCondition(() => talk.running.size === 1)
    const kept = (): string[] => fake.quota.kept.map(({ callId }) => callId)
    session.look(talk.keptAt + 59_000)
    expect(kept()).toEqual([])
    for (let n = 0; n < 12; n++) session.look(talk.keptAt + 60_000)
    expect(kept()).toEqual(Array<string>(12).fill('call_1_2'))
  })

  test('a place that was lost is requested again before the next frame is forwarded', async () => {
    const { fake, talk, session, client, vendor } = await openCountedSession()
    sendFrameObject(client, SPEECH)
    await waitForCondition(() => vendor.heard.length === 1)
    fake.quota.isGone = true
    session.look(talk.keptAt + 60_000)
    await waitForCondition(() => talk.ticket === undefined)
    fake.quota.refusal = { by: 'concurrency', limit: 1n, used: 1n, retryMs: 1_000 }
    sendFrameObject(client, SPEECH)
    await waitForCondition(() => talk.ending === 'limits')
    expect([fake.quota.asks.length, vendor.heard.length]).toEqual([2, 1])
  })
})

import { afterEach, describe, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import type { FakeHotDeps } from '../../testing/fake-deps.ts'
import { closeSockets, openHeldSession, LIVE_FRAMES, REALTIME_FRAMES } from '../../testing/held-session.ts'
import type { HeldSession } from '../../testing/held-session.ts'
import { waitForCondition } from '../../testing/lab.ts'
import { createLiveProtocol } from '../open-live.ts'
import { createRealtimeProtocol } from '../realtime.ts'
import { NO_LOAD } from '../rules.ts'
import { computeNextCost, computeCoveredOutput } from './secure.ts'

/** Timeouts of a session over real sockets: the test passes the time to `look`. */
const MINUTES = 60_000
const IDLE = 15 * MINUTES
const LONGEST = 60 * MINUTES
afterEach(closeSockets)

describe.each([
  ['Realtime', (fake: FakeHotDeps) => createRealtimeProtocol(fake.deps), REALTIME_FRAMES, [1000, 'session_expired'], [1001, 'session_expired']],
  [
    'Live',
    () => createLiveProtocol(undefined),
    LIVE_FRAMES,
    [1000, 'Nothing was said for 15 minutes.'],
    [1008, 'The session hit the maximum duration of 60 minutes.'],
  ],
] as const)('%s', (_name, protocolOf, frames, idle, longest) => {
  test('a session that is idle for 15 minutes ends, leaves the vendor and gives its money back', async () => {
    const { fake, talk, session, client, vendor } = await openHeldSession(protocolOf)
    session.look(talk.lastAt + IDLE - 1)
    expect(talk.over).toBe(false)
    session.look(talk.lastAt + IDLE)
    await waitForCondition(() => client.closed !== undefined && vendor.closed !== undefined)
    expect(client.closed).toEqual({ code: idle[0], reason: idle[1] })
    expect(vendor.closed?.code).toBe(1000)
    expect(fake.journal.givenBack).toEqual([1_000_000n])
    expect(fake.journal.reserved).toEqual([])
  })

  test('a frame of either side restarts the 15 minutes', async () => {
    const { talk, session, client, vendor } = await openHeldSession(protocolOf)
    for (const [from, to] of [
      [client, vendor],
      [vendor, client],
    ] as const) {
      talk.lastAt -= IDLE
      from.send('{"type":"session.updated","session":{}}')
      await waitForCondition(() => to.heard.length > 0)
      session.look(Date.now())
      expect(talk.over).toBe(false)
    }
  })

  test('an unknown usage figure costs what was held', async () => {
    const { fake, client, vendor } = await openHeldSession(protocolOf)
    vendor.send(JSON.stringify(frames.begin))
    await waitForCondition(() => fake.journal.reserved.length === 1)
    const strange =
      'response' in frames.end ? { ...frames.end, response: { ...frames.end.response, usage: { ...frames.end.response.usage, dream_tokens: 1 } } } : undefined
    vendor.send(
      JSON.stringify(
        strange ?? { ...frames.end, usageMetadata: { promptTokenCount: 20, responseTokenCount: 10, totalTokenCount: 30, serviceTier: 'priority' } },
      ),
    )
    await waitForCondition(() => fake.journal.settled.length === 1)
    const [row] = fake.journal.settled
    expect(row!.provenance).toBe('held')
    // Everything set aside for the response, including its later parts.
    expect(row!.amount).toBeGreaterThanOrEqual(row!.held)
    expect(row!.lines.at(-1)!.kind).toBe('call')
    client.close()
  })

  test('a vendor finishes and closes while a row is being written: its own figures are billed', async () => {
    const { fake, talk, client, vendor } = await openHeldSession(protocolOf)
    const { reserve } = fake.deps.journal
    let write = (): void => undefined
    const written = new Promise<void>((done) => (write = done))
    fake.deps.journal.reserve = (...of) => written.then(() => reserve(...of))
    for (const frame of [frames.begin, frames.end]) vendor.send(JSON.stringify(frame))
    vendor.close(1000)
    await waitForCondition(() => talk.upstream.readyState === talk.upstream.CLOSED)
    write()
    await waitForCondition(() => talk.over && client.closed !== undefined)
    expect(fake.journal.settled.map(({ provenance, outcome, inputTokens, outputTokens }) => [provenance, outcome, inputTokens, outputTokens])).toEqual([
      ['upstream', 'completed', 20, 10],
    ])
  })

  test('a session whose client leaves while a row is being written waits for the row', async () => {
    const { fake, talk, session, client, vendor } = await openHeldSession(protocolOf)
    const { settle } = fake.deps.journal
    let write = (): void => undefined
    const written = new Promise<void>((done) => (write = done))
    fake.deps.journal.settle = (...of) => written.then(() => settle(...of))
    for (const frame of [frames.begin, frames.end]) vendor.send(JSON.stringify(frame))
    await waitForCondition(() => fake.journal.reserved.length === 1 && talk.running.size === 0)
    client.terminate()
    await waitForCondition(() => talk.gone)
    session.look(Date.now())
    expect([talk.over, session.isOver()]).toEqual([false, false])
    write()
    await waitForCondition(() => session.isOver())
    expect(fake.journal.settled).toHaveLength(1)
  })

  test('after an hour a running response comes to its end and is charged, and nothing new begins', async () => {
    const { fake, talk, session, client, vendor } = await openHeldSession(protocolOf)
    vendor.send(JSON.stringify(frames.begin))
    await waitForCondition(() => talk.running.size === 1 && client.heard.length === 1)
    // Silence while the model thinks is not idleness.
    session.look(talk.lastAt + IDLE)
    expect(talk.ending).toBeUndefined()
    session.look(talk.startedAt + LONGEST)
    expect([talk.ending, talk.over]).toEqual(['longest', false])
    client.send('{"type":"response.create"}')
    vendor.send(JSON.stringify(frames.end))
    await waitForCondition(() => client.closed !== undefined)
    expect(client.closed).toEqual({ code: longest[0], reason: longest[1] })
    expect(client.heard[1]).toBe(JSON.stringify(frames.end))
    expect(vendor.heard).toEqual([])
    expect(fake.journal.settled).toMatchObject([{ outcome: 'completed', inputTokens: 20, outputTokens: 10, provenance: 'upstream' }])
  })
})

describe('the vendor’s answers are charged, whatever happens meanwhile', () => {
  const ASK = { Live: { clientContent: { turns: [], turnComplete: true } }, Realtime: { type: 'response.create', event_id: 'mine' } }
  const say = (to: WebSocket, frame: object): void => to.send(JSON.stringify(frame))
  const charged = async ({ fake }: HeldSession): Promise<void> => {
    await waitForCondition(() => fake.journal.settled.length === 1)
    expect(fake.journal.settled).toMatchObject([{ inputTokens: 20, outputTokens: 10, provenance: 'upstream' }])
  }
  /** A session with one second of speech; `speak` sends another. */
  const spokenTo = async (): Promise<{ held: HeldSession; speak: () => void }> => {
    const held = await openHeldSession((fake) => createRealtimeProtocol(fake.deps))
    say(held.vendor, { type: 'session.updated', session: { type: 'realtime', audio: { input: { format: { type: 'audio/pcm' } } } } })
    await waitForCondition(() => held.client.heard.length === 1)
    const speak = (): void => say(held.client, { type: 'input_audio_buffer.append', audio: 'A'.repeat(64_000) })
    speak()
    await waitForCondition(() => held.vendor.heard.length === 1)
    return { held, speak }
  }
  const refuseMore = ({ fake }: HeldSession): void => {
    fake.journal.admitAs = 'insufficient_balance'
  }

  test('a turn that was asked for keeps its money while more is said than there is money for', async () => {
    const held = await openHeldSession(() => createLiveProtocol(undefined))
    say(held.client, ASK.Live)
    await waitForCondition(() => held.vendor.heard.length === 1)
    refuseMore(held)
    say(held.client, { ...ASK.Live, and: 'more'.repeat(1_000) })
    await waitForCondition(() => held.talk.fresh.text > 4_000)
    say(held.vendor, LIVE_FRAMES.begin)
    say(held.vendor, LIVE_FRAMES.end)
    await charged(held)
    await waitForCondition(() => held.client.closed !== undefined)
    expect(held.client.closed!.reason).toMatch(/^RESOURCE_EXHAUSTED/)
    expect(held.vendor.heard).toHaveLength(1)
  })

  test('a turn that the vendor begins by itself is charged from what is there', async () => {
    const held = await openHeldSession(() => createLiveProtocol(undefined))
    refuseMore(held)
    held.talk.fresh = { ...NO_LOAD, audio: 1_000_000 }
    say(held.vendor, LIVE_FRAMES.begin)
    say(held.vendor, LIVE_FRAMES.end)
    await charged(held)
  })

  test('the lease is replaced, and the new one has too little: what was set aside stays', async () => {
    const held = await openHeldSession(() => createLiveProtocol(undefined))
    const { fake, talk } = held
    const admit = fake.deps.journal.admit.bind(fake.deps.journal)
    let asks = 0
    fake.deps.journal.admit = (...of) => (++asks === 1 ? { leaseId: 2n } : asks === 2 ? 'insufficient_balance' : admit(...of))
    expect(await talk.stake.raise(2_000_000n)).toBe('insufficient_balance')
    expect([talk.stake.total, talk.stake.lease?.leaseId, fake.journal.givenBack]).toEqual([1_000_000n, 1n, [1_000_000n]])
    asks = 0
    fake.deps.journal.admit = () => ({ leaseId: 2n })
    expect(await talk.stake.raise(2_000_000n)).toBeUndefined()
    expect([talk.stake.total, talk.stake.lease?.leaseId]).toEqual([2_000_000n, 2n])
  })

  test('money that is granted after its session ended goes back', async () => {
    const held = await openHeldSession((fake) => createRealtimeProtocol(fake.deps))
    const { fake, talk } = held
    let grant: (() => void) | undefined
    fake.deps.journal.admit = () => new Promise((done) => (grant = () => done({ leaseId: 1n })))
    talk.fresh = { ...NO_LOAD, audio: 1_000_000 }
    say(held.client, ASK.Realtime)
    await waitForCondition(() => grant !== undefined)
    held.client.terminate()
    await waitForCondition(() => talk.over)
    const before = fake.journal.givenBack.length
    grant!()
    await waitForCondition(() => fake.journal.givenBack.length === before + 1)
    expect([talk.stake.total, talk.stake.lease, held.vendor.heard]).toEqual([0n, undefined, []])
  })

  test('money that is granted after its response ended goes back', async () => {
    const { fake, talk } = await openHeldSession((made) => createRealtimeProtocol(made.deps))
    const taken = talk.stake.take(1_000_000n)!
    let grant: (() => void) | undefined
    fake.deps.journal.admit = () => new Promise((done) => (grant = () => done({ leaseId: 1n })))
    const more = taken.raise(1_500_000n)
    taken.rest()
    grant!()
    expect(await more).toBe('unavailable')
    expect(fake.journal.givenBack).toEqual([500_000n])
  })

  test('a requested answer is read although another event is refused and the client leaves', async () => {
    const held = await openHeldSession((fake) => createRealtimeProtocol(fake.deps))
    say(held.client, ASK.Realtime)
    await waitForCondition(() => held.vendor.heard.length === 1)
    say(held.vendor, { type: 'error', error: { code: 'input_audio_buffer_commit_empty', event_id: 'other' } })
    await waitForCondition(() => held.client.heard.length === 1)
    held.client.terminate()
    await waitForCondition(() => held.talk.gone)
    say(held.vendor, REALTIME_FRAMES.begin)
    say(held.vendor, REALTIME_FRAMES.end)
    await charged(held)
  })

  test('a refused request for an answer frees its money, and the next one is forwarded', async () => {
    const held = await openHeldSession((fake) => createRealtimeProtocol(fake.deps))
    say(held.client, ASK.Realtime)
    await waitForCondition(() => held.vendor.heard.length === 1)
    const before = held.fake.journal.givenBack.length
    say(held.vendor, { type: 'error', error: { code: 'conversation_already_has_active_response', event_id: 'mine' } })
    await waitForCondition(() => held.client.heard.length === 1)
    expect([held.talk.asked, held.fake.journal.givenBack.length > before]).toEqual([undefined, true])
    say(held.client, ASK.Realtime)
    await waitForCondition(() => held.vendor.heard.length === 2)
  })

  test('an answer that the vendor begins after the client spoke and left at once is charged', async () => {
    const held = await openHeldSession((fake) => createRealtimeProtocol(fake.deps))
    say(held.client, { type: 'input_audio_buffer.append', audio: 'A'.repeat(20_000) })
    await waitForCondition(() => held.vendor.heard.length === 1)
    held.client.terminate()
    await waitForCondition(() => held.talk.gone)
    expect(held.talk.over).toBe(false)
    say(held.vendor, { type: 'input_audio_buffer.speech_stopped' })
    say(held.vendor, REALTIME_FRAMES.begin)
    say(held.vendor, REALTIME_FRAMES.end)
    await charged(held)
  })

  test('a client speaks, requests an answer and disconnects: the first answer may be to the speech, so the other is awaited and charged', async () => {
    const held = await openHeldSession((fake) => createRealtimeProtocol(fake.deps))
    say(held.client, { type: 'input_audio_buffer.append', audio: 'A'.repeat(20_000) })
    await waitForCondition(() => held.vendor.heard.length === 1)
    const spokeAt = held.talk.stirredAt
    await waitForCondition(() => Date.now() > spokeAt + 1)
    say(held.client, ASK.Realtime)
    await waitForCondition(() => held.vendor.heard.length === 2)
    held.client.terminate()
    await waitForCondition(() => held.talk.gone)
    say(held.vendor, REALTIME_FRAMES.begin)
    say(held.vendor, REALTIME_FRAMES.end)
    await waitForCondition(() => held.fake.journal.settled.length === 1)
    // the speech will not be answered any more
    held.talk.echo.overTo = spokeAt + 1
    held.session.look(Date.now())
    expect(held.talk.over).toBe(false)
    say(held.vendor, REALTIME_FRAMES.begin)
    say(held.vendor, REALTIME_FRAMES.end)
    await waitForCondition(() => held.fake.journal.settled.length === 2)
  })

  test('speech sent faster than real time is forwarded as far as there is money for each answer, then in real time', async () => {
    const { held, speak } = await spokenTo()
    const { admit } = held.fake.deps.journal
    held.fake.deps.journal.admit = (key, amount) => (held.talk.stake.total > 3_000_000n ? 'insufficient_balance' : admit(key, amount))
    for (let n = 0; n < 9; n++) speak()
    await waitForCondition(() => held.talk.waiting.length > 0)
    const before = held.vendor.heard.length
    expect(before).toBeLessThan(9)
    // Nine seconds later all of it has been spoken.
    held.talk.heardTo -= 9_000
    held.session.look(Date.now())
    await waitForCondition(() => held.vendor.heard.length > before)
    expect(held.talk.ending).toBeUndefined()
  })

  test('money set aside goes to a response while a frame waits for more: the frame keeps waiting', async () => {
    const { held, speak } = await spokenTo()
    // enough for one answer of any kind; two need more
    await held.talk.stake.raise((computeNextCost(held.talk, computeCoveredOutput(held.talk)) * 3n) / 2n)
    let grant: (() => void) | undefined
    held.fake.deps.journal.admit = () => new Promise((done) => (grant = () => done({ leaseId: 1n })))
    speak()
    await waitForCondition(() => grant !== undefined)
    held.fake.deps.journal.admit = () => 'insufficient_balance'
    say(held.vendor, REALTIME_FRAMES.begin)
    await waitForCondition(() => held.talk.running.size === 1)
    grant!()
    await waitForCondition(() => held.talk.waiting.length > 0 || held.vendor.heard.length > 1)
    expect(held.vendor.heard).toHaveLength(1)
  })

  test('a client that turned off turn detection may send at any speed', async () => {
    const held = await openHeldSession((fake) => createRealtimeProtocol(fake.deps))
    say(held.vendor, { type: 'session.updated', session: { type: 'realtime', audio: { input: { turn_detection: null } } } })
    await waitForCondition(() => held.client.heard.length === 1)
    for (let n = 0; n < 20; n++) say(held.client, { type: 'input_audio_buffer.append', audio: 'A'.repeat(64_000) })
    await waitForCondition(() => held.vendor.heard.length === 20)
    expect([held.talk.stirredAt, held.talk.heardTo > Date.now()]).toEqual([0, false])
  })
})

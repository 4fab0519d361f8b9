import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { aModel, fakeDeps, KEY } from '../testing/fake-deps.ts'
import type { Fake } from '../testing/fake-deps.ts'
import { until } from '../testing/lab.ts'
import type { Session } from './hub.ts'
import { liveProtocol } from './live.ts'
import { realtimeProtocol } from './realtime.ts'
import { NO_LOAD } from './rules.ts'
import type { Protocol } from './rules.ts'
import { openSession } from './session.ts'
import { createStake } from './stake.ts'
import type { Talk } from './talk.ts'
import type { Visit } from './visit.ts'

/** The clocks of a session: a session is asked to look at a time of the test's own, over real sockets. */
const MINUTES = 60_000
const IDLE = 15 * MINUTES
const LONGEST = 60 * MINUTES

interface End {
  readonly heard: string[]
  closed: { code: number; reason: string } | undefined
}
interface Held {
  readonly fake: Fake
  readonly talk: Talk
  readonly session: Session
  readonly client: WebSocket & End
  readonly vendor: WebSocket & End
}
const closing: Array<() => void> = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** Both ends of a socket: the gateway's, and the one of whom it speaks with. */
async function pair(): Promise<[ours: WebSocket, theirs: WebSocket & End]> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const came = once(server, 'connection')
  const theirs = Object.assign(new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`), { heard: [], closed: undefined }) as WebSocket & End
  theirs.on('message', (data) => theirs.heard.push(String(data)))
  theirs.on('close', (code, reason) => {
    theirs.closed = { code, reason: reason.toString() }
  })
  closing.push(() => {
    theirs.terminate()
    server.close()
  })
  const [ours] = (await Promise.all([came, once(theirs, 'open')]))[0] as [WebSocket]
  return [ours, theirs]
}

async function hold(protocolOf: (fake: Fake) => Protocol): Promise<Held> {
  const fake = fakeDeps()
  const [ours, client] = await pair()
  const [upstream, vendor] = await pair()
  const model = aModel('m', [])
  fake.models.set('m', model)
  const key = fake.deps.findKey(KEY)
  if (key === undefined || key instanceof Promise) throw new Error('no key')
  const stake = createStake(fake.deps.journal, key)
  await stake.raise(1_000_000n)
  const now = Date.now()
  const talk: Talk = {
    visit: { deps: fake.deps, key, secret: KEY, requestId: 'req_1' } as Visit,
    client: ours,
    upstream,
    model,
    upstreamId: 'up-1',
    protocol: protocolOf(fake),
    callId: 'call_1',
    stake,
    ears: createStake(fake.deps.journal, key),
    ticket: undefined,
    denied: undefined,
    claiming: undefined,
    askedAt: 0,
    waiting: [],
    lid: undefined,
    running: new Map(),
    load: NO_LOAD,
    fresh: NO_LOAD,
    count: 0,
    startedAt: now,
    lastAt: now,
    ending: undefined,
    gone: false,
    leaveAt: 0,
    over: false,
  }
  const session = openSession(talk, { socket: upstream, route: {} as never, listen: (take) => upstream.on('message', take) })
  return { fake, talk, session, client, vendor }
}

const REALTIME = {
  begin: { type: 'response.created', response: { id: 'resp_1' } },
  end: {
    type: 'response.done',
    response: {
      id: 'resp_1',
      status: 'completed',
      usage: {
        total_tokens: 30,
        input_tokens: 20,
        output_tokens: 10,
        input_token_details: { text_tokens: 20, audio_tokens: 0, cached_tokens: 0 },
        output_token_details: { text_tokens: 10, audio_tokens: 0 },
      },
    },
  },
}
const LIVE = {
  begin: { serverContent: { modelTurn: { parts: [{ text: 'a' }] } } },
  end: { serverContent: { turnComplete: true }, usageMetadata: { promptTokenCount: 20, responseTokenCount: 10, totalTokenCount: 30 } },
}

describe.each([
  ['Realtime', (fake: Fake) => realtimeProtocol(fake.deps), REALTIME, [1000, 'session_expired'], [1001, 'session_expired']],
  ['Live', () => liveProtocol(undefined), LIVE, [1000, 'Nothing was said for 15 minutes.'], [1008, 'The session hit the maximum duration of 60 minutes.']],
] as const)('%s', (_name, protocolOf, frames, idle, longest) => {
  test('nobody speaks for 15 minutes: the session ends, the vendor is left, the money is given back', async () => {
    const { fake, talk, session, client, vendor } = await hold(protocolOf)
    session.look(talk.lastAt + IDLE - 1)
    expect(talk.over).toBe(false)
    session.look(talk.lastAt + IDLE)
    await until(() => client.closed !== undefined && vendor.closed !== undefined)
    expect(client.closed).toEqual({ code: idle[0], reason: idle[1] })
    expect(vendor.closed?.code).toBe(1000)
    expect(fake.journal.givenBack).toEqual([1_000_000n])
    expect(fake.journal.reserved).toEqual([])
  })

  test('a frame of either side begins the 15 minutes anew', async () => {
    const { talk, session, client, vendor } = await hold(protocolOf)
    for (const [from, to] of [
      [client, vendor],
      [vendor, client],
    ] as const) {
      talk.lastAt -= IDLE
      from.send('{"type":"session.updated","session":{}}')
      await until(() => to.heard.length > 0)
      session.look(Date.now())
      expect(talk.over).toBe(false)
    }
  })

  test('a figure that nobody knows costs what was held', async () => {
    const { fake, client, vendor } = await hold(protocolOf)
    vendor.send(JSON.stringify(frames.begin))
    await until(() => fake.journal.reserved.length === 1)
    const strange =
      'response' in frames.end ? { ...frames.end, response: { ...frames.end.response, usage: { ...frames.end.response.usage, dream_tokens: 1 } } } : undefined
    vendor.send(
      JSON.stringify(
        strange ?? { ...frames.end, usageMetadata: { promptTokenCount: 20, responseTokenCount: 10, totalTokenCount: 30, serviceTier: 'priority' } },
      ),
    )
    await until(() => fake.journal.settled.length === 1)
    const [row] = fake.journal.settled
    expect(row!.provenance).toBe('held')
    // All that was set aside for the response, its later parts included.
    expect(row!.amount).toBeGreaterThanOrEqual(row!.held)
    expect(row!.lines.at(-1)!.kind).toBe('call')
    client.close()
  })

  test('after an hour a running response comes to its end and is charged, and nothing new begins', async () => {
    const { fake, talk, session, client, vendor } = await hold(protocolOf)
    vendor.send(JSON.stringify(frames.begin))
    await until(() => talk.running.size === 1 && client.heard.length === 1)
    // Silence is not idleness while it thinks.
    session.look(talk.lastAt + IDLE)
    expect(talk.ending).toBeUndefined()
    session.look(talk.startedAt + LONGEST)
    expect([talk.ending, talk.over]).toEqual(['longest', false])
    client.send('{"type":"response.create"}')
    vendor.send(JSON.stringify(frames.end))
    await until(() => client.closed !== undefined)
    expect(client.closed).toEqual({ code: longest[0], reason: longest[1] })
    expect(client.heard[1]).toBe(JSON.stringify(frames.end))
    expect(vendor.heard).toEqual([])
    expect(fake.journal.settled).toMatchObject([{ outcome: 'completed', inputTokens: 20, outputTokens: 10, provenance: 'upstream' }])
  })
})

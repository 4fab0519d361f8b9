import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import type { SocketSession } from '../sockets/hub.ts'
import { NO_LOAD } from '../sockets/rules.ts'
import type { Protocol } from '../sockets/rules.ts'
import { connectSession } from '../sockets/session/session.ts'
import { createStake } from '../sockets/session/stake.ts'
import { createVendorSessionStart } from '../sockets/session/talk.ts'
import type { VendorSession } from '../sockets/session/talk.ts'
import type { AuthenticatedHandshake } from '../sockets/handshake.ts'
import { aModel, createFakeDeps, TEST_KEY } from './fake-deps.ts'
import type { FakeHotDeps } from './fake-deps.ts'

interface End {
  readonly heard: string[]
  closed: { code: number; reason: string } | undefined
}
export interface HeldSession {
  readonly fake: FakeHotDeps
  readonly talk: VendorSession
  readonly session: SocketSession
  readonly client: WebSocket & End
  readonly vendor: WebSocket & End
}
const closers: Array<() => void> = []
/** Cleans up after each test. */
export function closeSockets(): void {
  for (const close of closers.splice(0)) close()
}

/** Both ends of a socket: the gateway's and its peer's. */
async function openSocketPair(): Promise<[ours: WebSocket, theirs: WebSocket & End]> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const came = once(server, 'connection')
  const theirs = Object.assign(new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`), { heard: [], closed: undefined }) as WebSocket & End
  theirs.on('message', (data) => theirs.heard.push(String(data)))
  theirs.on('close', (code, reason) => {
    theirs.closed = { code, reason: reason.toString() }
  })
  closers.push(() => {
    theirs.terminate()
    server.close()
  })
  const [ours] = (await Promise.all([came, once(theirs, 'open')]))[0] as [WebSocket]
  return [ours, theirs]
}

/** A session between two fake sockets, with money for its first response. */
export async function openHeldSession(protocolOf: (fake: FakeHotDeps) => Protocol): Promise<HeldSession> {
  const fake = createFakeDeps()
  const [ours, client] = await openSocketPair()
  const [upstream, vendor] = await openSocketPair()
  const model = aModel('m', [])
  fake.models.set('m', model)
  const key = fake.deps.findKey(TEST_KEY)
  if (key === undefined || key instanceof Promise) throw new Error('no key')
  const stake = createStake(fake.deps.journal, key)
  await stake.raise(1_000_000n)
  const talk: VendorSession = {
    visit: { deps: fake.deps, key, secret: TEST_KEY, requestId: 'req_1' } as AuthenticatedHandshake,
    client: ours,
    upstream,
    model,
    upstreamId: 'up-1',
    protocol: protocolOf(fake),
    callId: 'call_1',
    stake,
    ears: createStake(fake.deps.journal, key),
    ...createVendorSessionStart(NO_LOAD, Date.now()),
  }
  const session = connectSession(talk, { socket: upstream, route: {} as never, listen: (take) => upstream.on('message', take) })
  return { fake, talk, session, client, vendor }
}

/** A response of each vendor, from its beginning to its usage. */
export const REALTIME_FRAMES = {
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
export const LIVE_FRAMES = {
  begin: { serverContent: { modelTurn: { parts: [{ text: 'a' }] } } },
  end: { serverContent: { turnComplete: true }, usageMetadata: { promptTokenCount: 20, responseTokenCount: 10, totalTokenCount: 30 } },
}

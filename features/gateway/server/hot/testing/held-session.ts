import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import type { Session } from '../sockets/hub.ts'
import { NO_LOAD } from '../sockets/rules.ts'
import type { Protocol } from '../sockets/rules.ts'
import { openSession } from '../sockets/session/session.ts'
import { createStake } from '../sockets/session/stake.ts'
import { beginning } from '../sockets/session/talk.ts'
import type { Talk } from '../sockets/session/talk.ts'
import type { Visit } from '../sockets/visit.ts'
import { aModel, fakeDeps, KEY } from './fake-deps.ts'
import type { Fake } from './fake-deps.ts'

interface End {
  readonly heard: string[]
  closed: { code: number; reason: string } | undefined
}
export interface Held {
  readonly fake: Fake
  readonly talk: Talk
  readonly session: Session
  readonly client: WebSocket & End
  readonly vendor: WebSocket & End
}
const closing: Array<() => void> = []
/** After each test. */
export function closeSockets(): void {
  for (const close of closing.splice(0)) close()
}

/** Both ends of a socket: the gateway's and its peer's. */
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

/** A session between two sockets of the test's own, with money for its first response. */
export async function hold(protocolOf: (fake: Fake) => Protocol): Promise<Held> {
  const fake = fakeDeps()
  const [ours, client] = await pair()
  const [upstream, vendor] = await pair()
  const model = aModel('m', [])
  fake.models.set('m', model)
  const key = fake.deps.findKey(KEY)
  if (key === undefined || key instanceof Promise) throw new Error('no key')
  const stake = createStake(fake.deps.journal, key)
  await stake.raise(1_000_000n)
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
    ...beginning(NO_LOAD, Date.now()),
  }
  const session = openSession(talk, { socket: upstream, route: {} as never, listen: (take) => upstream.on('message', take) })
  return { fake, talk, session, client, vendor }
}

/** A response of each vendor, from its beginning to its usage. */
export const REALTIME = {
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
export const LIVE = {
  begin: { serverContent: { modelTurn: { parts: [{ text: 'a' }] } } },
  end: { serverContent: { turnComplete: true }, usageMetadata: { promptTokenCount: 20, responseTokenCount: 10, totalTokenCount: 30 } },
}

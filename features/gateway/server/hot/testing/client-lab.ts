import type { Socket } from 'node:net'
import type { UpstreamClient } from '../deps.ts'
import { createUpstreamClient } from '../upstream/client.ts'
import { startFakeUpstream } from './fake-upstream.ts'
import type { FakeUpstream } from './fake-upstream.ts'
import { createRecordedExchange } from './recorded-exchange.ts'
import type { RecordedExchange } from './recorded-exchange.ts'

/** An upstream client in front of a fake upstream; only one at a time. */
export const clientLab = {
  client: undefined as unknown as UpstreamClient,
  server: undefined as unknown as FakeUpstream,
  /** Connections on which the server has seen a request. */
  connections: 0,
  closers: [] as (() => void)[],
  answer: (_seen: { path: string }, _socket: Socket): void => undefined,

  async begin(options: Parameters<typeof createUpstreamClient>[0] = {}): Promise<void> {
    const known = new Set<Socket>()
    clientLab.connections = 0
    clientLab.answer = () => undefined
    clientLab.client = createUpstreamClient(options)
    clientLab.server = await startFakeUpstream()
    clientLab.server.answer = (seen, socket) => {
      known.add(socket)
      clientLab.connections = known.size
      clientLab.answer(seen, socket)
    }
  },

  send(path = '/', more: { body?: Buffer; timeoutMs?: number; betweenMs?: number; origin?: string } = {}): RecordedExchange {
    const { client, server } = clientLab
    const told = createRecordedExchange()
    const exchange = client.send(
      { origin: server.origin, path, headers: ['authorization', 'Bearer x'], body: Buffer.from('{}'), timeoutMs: 5_000, ...more },
      told,
    )
    told.exchange = { abort: () => client.abort(exchange), pause: () => client.pause(exchange), resume: () => client.resume(exchange) }
    return told
  },

  async close(): Promise<void> {
    await clientLab.client.close()
    await clientLab.server.close()
    for (const close of clientLab.closers.splice(0)) close()
  },
}

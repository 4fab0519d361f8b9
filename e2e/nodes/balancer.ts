import { Agent, createServer, request } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { scaleTimeout } from '#platform/testing/patience.ts'

export interface Balancer {
  readonly url: string
  /** How many nodes take requests now. */
  ready(): number
  stop(): Promise<void>
}

interface Backend {
  readonly port: number
  readonly agent: Agent
  ready: boolean
}

const PROBE_INTERVAL_MS = 100

/**
 * A reverse proxy as a deployment has one: nodes by turns, only those whose /readyz says so, connections kept warm. It never
 * tries a request again, so that nothing a node does wrong is hidden.
 */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const backends: Backend[] = ports.map((port) => ({ port, agent: new Agent({ keepAlive: true, maxSockets: 512 }), ready: false }))
  let turn = 0
  const look = async () => {
    for (const backend of backends) {
      backend.ready = await fetch(`http://127.0.0.1:${backend.port}/readyz`, {
        headers: { connection: 'close' },
        signal: AbortSignal.timeout(scaleTimeout(2_000)),
      }).then(
        async (reply) => (await reply.arrayBuffer(), reply.status === 200),
        () => false,
      )
    }
  }
  await look()
  let looking: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    looking = looking.then(look)
  }, PROBE_INTERVAL_MS)
  const server = createServer((client, answer) => {
    const ready = backends.filter((backend) => backend.ready)
    const chosen = ready[turn++ % (ready.length || 1)]
    if (chosen) forwardRequest(chosen, client, answer)
    else answer.writeHead(502).end('no node is ready')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: () => backends.filter((backend) => backend.ready).length,
    stop: async () => {
      clearInterval(timer)
      await looking
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      for (const backend of backends) backend.agent.destroy()
    },
  }
}

function forwardRequest(backend: Backend, client: IncomingMessage, answer: ServerResponse): void {
  const { connection: _hop, ...headers } = client.headers
  const onward = request({ host: '127.0.0.1', port: backend.port, method: client.method, path: client.url, headers, agent: backend.agent })
  onward.on('response', (reply) => {
    const { connection: _ours, ...passed } = reply.headers
    answer.writeHead(reply.statusCode!, passed)
    answer.flushHeaders()
    reply.on('error', () => answer.destroy())
    reply.pipe(answer)
  })
  onward.on('error', (error) => {
    if (answer.headersSent) answer.destroy()
    else answer.writeHead(502, { 'content-type': 'text/plain' }).end(error.message)
  })
  answer.on('close', () => {
    if (!answer.writableFinished) onward.destroy()
  })
  client.pipe(onward)
}

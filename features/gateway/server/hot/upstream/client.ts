import type { UpstreamClient } from '../deps.ts'
import { abortExchange, createExchange } from './exchange.ts'
import { serializeRequest } from './message.ts'
import { createOrigin } from './origin.ts'
import type { OriginOptions, RunningExchange } from './parts.ts'
import { createOriginPool } from './origins.ts'

const DEFAULTS: OriginOptions = { connections: 256, connectMs: 10_000, idleMs: 60_000 }
const CHECK_INTERVAL_MS = 500

/**
 * HTTP/1.1 towards upstreams, made for many small streams: one read is one call of the handler, whatever the number of
 * chunks in it (docs/decisions/upstream-client.md). No redirects, no cookies, no pipelining.
 */
export function createUpstreamClient(given: Partial<OriginOptions> = {}): UpstreamClient {
  const options = { ...DEFAULTS, ...given }
  const origins = createOriginPool((address) => createOrigin(address, options), Math.min(CHECK_INTERVAL_MS, options.connectMs / 4, options.idleMs / 4))

  return {
    send(request, handler) {
      if (origins.isClosed()) throw new Error('the upstream client is closed')
      const origin = origins.of(request.origin)
      const exchange = createExchange(origin, handler, request, serializeRequest(request, origin.host))
      origins.wake(Math.min(request.timeoutMs, request.waitMs ?? Infinity, request.betweenMs ?? Infinity))
      origin.place(exchange)
      return exchange
    },
    abort: (exchange) => abortExchange(exchange as RunningExchange),
    pause: (exchange) => (exchange as RunningExchange).connection?.pause(),
    resume: (exchange) => (exchange as RunningExchange).connection?.resume(),
    warm(address, connections) {
      if (origins.isClosed()) return
      origins.wake(Infinity)
      origins.of(address).warm(connections)
    },
    close: async () => origins.close(),
  }
}

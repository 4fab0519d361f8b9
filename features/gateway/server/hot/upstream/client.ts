import type { UpstreamClient } from '../deps.ts'
import { abort, newExchange } from './exchange.ts'
import type { RunningExchange } from './exchange.ts'
import { requestBytes } from './message.ts'
import { createOrigin } from './origin.ts'
import type { Origin, OriginOptions } from './origin.ts'

const DEFAULTS: OriginOptions = { connections: 256, connectMs: 10_000, idleMs: 60_000 }

/**
 * HTTP/1.1 towards upstreams, made for many small streams: one read is one call of the handler, whatever the number of
 * chunks in it (docs/decisions/0006). No redirects, no cookies, no pipelining.
 */
export function createUpstreamClient(given: Partial<OriginOptions> = {}): UpstreamClient {
  const options = { ...DEFAULTS, ...given }
  const origins = new Map<string, Origin>()
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let every = Infinity

  const originOf = (address: string): Origin => {
    let origin = origins.get(address)
    if (origin === undefined) origins.set(address, (origin = createOrigin(address, options)))
    return origin
  }
  const tick = (): void => {
    const now = Date.now()
    let open = 0
    for (const origin of origins.values()) {
      origin.look(now)
      open += origin.size()
    }
    if (open > 0) return
    clearInterval(timer)
    timer = undefined
    every = Infinity
  }
  /** One timer for all connections; none while there are none. */
  const wake = (timeoutMs: number): void => {
    const wanted = Math.max(10, Math.min(500, timeoutMs / 4, options.connectMs / 4, options.idleMs / 4))
    if (timer !== undefined && wanted >= every) return
    clearInterval(timer)
    every = wanted
    timer = setInterval(tick, every).unref()
  }

  return {
    send(request, handler) {
      if (closed) throw new Error('the upstream client is closed')
      const origin = originOf(request.origin)
      const exchange = newExchange(origin, handler, request, requestBytes(request, origin.host))
      wake(Math.min(request.timeoutMs, request.betweenMs ?? Infinity))
      origin.place(exchange)
      return exchange
    },
    abort: (exchange) => abort(exchange as RunningExchange),
    pause: (exchange) => (exchange as RunningExchange).connection?.pause(),
    resume: (exchange) => (exchange as RunningExchange).connection?.resume(),
    warm(address, connections) {
      if (closed) return
      wake(Infinity)
      originOf(address).warm(connections)
    },
    async close() {
      closed = true
      clearInterval(timer)
      for (const origin of origins.values()) origin.close()
    },
  }
}

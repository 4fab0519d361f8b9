import { constants } from 'node:http2'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { Exchange, UpstreamClient, UpstreamRequest } from '../deps.ts'
import { createOrigins } from '../upstream/origins.ts'
import { createHttp2Origin } from './origin.ts'
import type { Http2Options } from './origin.ts'
import type { Http2Exchange } from './session.ts'
import type { TLSSocket } from 'node:tls'

const DEFAULTS: Http2Options = { sessions: 16, connectMs: 10_000, idleMs: 300_000, quietMs: 15_000, pingMs: 5_000 }
const TARGET = /^[\x21-\x7e]+$/
const LOOK_MS = 250

export interface Http2Client extends UpstreamClient {
  warm(origin: string, connections: number, socket?: TLSSocket): void
}

/**
 * HTTP/2 towards upstreams that want it, over node:http2: few connections, many streams. HTTP/1.1 by hand stays the rule, since
 * it costs less for each chunk (docs/decisions). No push, no redirects.
 */
export function createHttp2Client(given: Partial<Http2Options> = {}): Http2Client {
  const options = { ...DEFAULTS, ...given }
  const lookMs = Math.min(LOOK_MS, options.connectMs / 4, options.idleMs / 4, options.pingMs / 4)
  const origins = createOrigins((url) => createHttp2Origin(url, options), lookMs)

  return {
    send(request, handler) {
      if (origins.isClosed()) throw new Error('the upstream client is closed')
      check(request)
      const origin = origins.of(request.origin)
      const exchange: Http2Exchange = {
        origin,
        handler,
        request,
        stream: undefined,
        since: Date.now(),
        answered: false,
        paused: false,
        retried: false,
        over: false,
        written: false,
      }
      origins.wake(Math.min(request.timeoutMs, request.betweenMs ?? Infinity))
      origin.place(exchange)
      return exchange
    },
    abort(given) {
      const exchange = given as Http2Exchange
      if (exchange.over) return
      exchange.over = true
      if (exchange.stream === undefined) exchange.origin.forget(exchange)
      else exchange.stream.close(constants.NGHTTP2_CANCEL)
    },
    pause: (given) => setPaused(given, true),
    resume: (given) => setPaused(given, false),
    warm(url, _connections, socket) {
      if (origins.isClosed()) return
      origins.wake(Infinity)
      origins.of(url).warm(socket)
    },
    close: async () => origins.close(),
  }
}

/** A reader that is waited for: the stream's window fills, and the server waits too. */
function setPaused(given: Exchange, paused: boolean): void {
  const exchange = given as Http2Exchange
  if (exchange.over || exchange.paused === paused) return
  exchange.paused = paused
  exchange.since = Date.now()
  if (paused) exchange.stream?.pause()
  else exchange.stream?.resume()
}

/** Throws before anything is sent: nothing may be smuggled into a head. */
function check(request: UpstreamRequest): void {
  if (!TARGET.test(request.path)) throw new TypeError('a request path holds characters that HTTP does not allow')
  for (let i = 0; i < request.headers.length; i += 2) {
    validateHeaderName(request.headers[i]!)
    validateHeaderValue(request.headers[i]!, request.headers[i + 1]!)
  }
}

import { isIP } from 'node:net'
import { connect } from 'node:tls'
import type { ConnectionOptions, TLSSocket } from 'node:tls'
import type { Exchange, UpstreamClient } from '../deps.ts'
import type { Http2Client } from './client.ts'

/** Asked again after this long, so that a server which changes is followed. */
const AGAIN_MS = 3_600_000
const CONNECT_MS = 10_000

interface Known {
  isHttp2: boolean
  until: number
}

/**
 * HTTP/2 where the server offers it (ALPN), else HTTP/1.1. No request waits to find out: until the server has been asked,
 * requests go over HTTP/1.1, and the connection that asked becomes the first session.
 */
export function createNegotiatingClient(http1: UpstreamClient, http2: Http2Client, tls?: Pick<ConnectionOptions, 'ca'>): UpstreamClient {
  const known = new Map<string, Known>()

  const ask = (origin: string): void => {
    known.set(origin, { isHttp2: known.get(origin)?.isHttp2 ?? false, until: Date.now() + AGAIN_MS })
    const url = new URL(origin)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const socket: TLSSocket = connect({
      host,
      port: Number(url.port) || 443,
      ALPNProtocols: ['h2', 'http/1.1'],
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...tls,
    })
    socket.setTimeout(CONNECT_MS, () => socket.destroy())
    socket.once('error', () => socket.destroy())
    socket.once('secureConnect', () => {
      socket.setTimeout(0)
      const isHttp2 = socket.alpnProtocol === 'h2'
      known.set(origin, { isHttp2, until: Date.now() + AGAIN_MS })
      if (isHttp2) http2.warm(origin, 1, socket)
      else socket.destroy()
    })
    socket.unref()
  }
  const speaksHttp2 = (origin: string): boolean => {
    if (!origin.startsWith('https:')) return false
    const facts = known.get(origin)
    if (facts === undefined || facts.until < Date.now()) ask(origin)
    return facts?.isHttp2 ?? false
  }
  const clientOf = (exchange: Exchange): UpstreamClient => ('request' in exchange ? http2 : http1)

  return {
    send: (request, handler) => (speaksHttp2(request.origin) ? http2 : http1).send(request, handler),
    abort: (exchange) => clientOf(exchange).abort(exchange),
    pause: (exchange) => clientOf(exchange).pause(exchange),
    resume: (exchange) => clientOf(exchange).resume(exchange),
    warm: (origin, connections) => {
      if (speaksHttp2(origin)) http2.warm(origin, connections)
      else http1.warm?.(origin, connections)
    },
    // Both belong to whoever made them.
    close: async () => known.clear(),
  }
}

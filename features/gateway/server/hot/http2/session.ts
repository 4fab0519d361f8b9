import { connect, constants } from 'node:http2'
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import type { Exchange, UpstreamHandler, UpstreamHeaders, UpstreamRequest } from '../deps.ts'
import type { Http2Origin } from './origin.ts'

/** One request on a stream, or waiting for one. Plain data, see call.ts. */
export interface Http2Exchange extends Exchange {
  readonly origin: Http2Origin
  readonly handler: UpstreamHandler
  readonly request: UpstreamRequest
  stream: ClientHttp2Stream | undefined
  /** When it began to wait for what comes next; nothing is awaited of a paused one. */
  since: number
  answered: boolean
  paused: boolean
  retried: boolean
  over: boolean
  written: boolean
}

export interface Session {
  /** Open, and with room for another stream. */
  usable(): boolean
  start(exchange: Http2Exchange): void
  look(now: number): void
  close(): void
}

/** What one stream may send ahead of a slow reader, and all of them together. */
const STREAM_WINDOW = 1024 * 1024
const SESSION_WINDOW = 16 * 1024 * 1024
/** Until the server says otherwise. */
const STREAMS = 100

/** A connection to an origin, with many streams on it. `socket`: one already negotiated. */
export function openSession(origin: Http2Origin, socket?: TLSSocket): Session {
  const openedAt = Date.now()
  const running = new Set<Http2Exchange>()
  const session: ClientHttp2Session = connect(origin.url, {
    settings: { enablePush: false, initialWindowSize: STREAM_WINDOW },
    ...origin.tls,
    ...(socket === undefined ? {} : { createConnection: () => socket }),
  })
  let open = false
  let leaving = false
  let heardAt = openedAt
  let pingedAt = 0
  let idleSince = openedAt

  session.once('connect', () => {
    open = true
    heardAt = Date.now()
    session.setLocalWindowSize(SESSION_WINDOW)
    origin.opened()
  })
  session.on('remoteSettings', () => origin.opened())
  // What the server has not looked at ends as refused and is sent again elsewhere; the rest comes to its end here.
  session.on('goaway', () => {
    leaving = true
    origin.left(self)
  })
  session.on('error', (error: Error) => lost(error))
  session.on('close', () => {
    lost(new Error('the session was closed'))
    origin.gone(self)
  })
  session.unref()

  const self: Session = {
    usable: () =>
      !leaving && !session.closed && !session.destroyed && running.size < (open ? (session.remoteSettings.maxConcurrentStreams ?? STREAMS) : STREAMS),
    start,
    look,
    close: () => {
      lost(new Error('the client was closed'))
      session.destroy()
    },
  }
  return self

  function start(exchange: Http2Exchange): void {
    const now = Date.now()
    exchange.since = now
    running.add(exchange)
    let stream: ClientHttp2Stream
    try {
      stream = session.request(headersOf(exchange.request, origin))
    } catch (error) {
      // The session ended a moment ago. Never within `send`.
      setImmediate(() => broken(exchange, error as Error))
      return
    }
    exchange.stream = stream
    exchange.written = true
    if (exchange.paused) stream.pause()
    if (running.size === 1) session.ref()
    if (open && pingedAt === 0 && now - heardAt > origin.quietMs) ping(now)
    stream.on('response', (headers) => {
      heard(exchange)
      exchange.answered = true
      guarded(exchange, () => exchange.handler.onHead(Number(headers[':status']), plain(headers)))
    })
    stream.on('data', (chunk: Buffer) => {
      heard(exchange)
      if (!exchange.over) guarded(exchange, () => exchange.handler.onData(chunk))
    })
    stream.on('end', () => {
      // A reset also ends what can be read.
      if (exchange.over || !exchange.answered || (stream.rstCode ?? 0) !== constants.NGHTTP2_NO_ERROR) return
      done(exchange)
      exchange.handler.onEnd()
    })
    // Of a stream that was refused, its close comes when the request is on another one.
    stream.on('error', (error) => {
      if (exchange.stream === stream) broken(exchange, error)
    })
    stream.on('close', () => {
      if (exchange.stream === stream) broken(exchange, new Error(`the stream was reset (${stream.rstCode ?? 0})`))
    })
    stream.end(exchange.request.body)
  }

  function heard(exchange: Http2Exchange): void {
    heardAt = Date.now()
    exchange.since = heardAt
  }

  /** A fault of the handler's ends its own call, and no other. */
  function guarded(exchange: Http2Exchange, tell: () => void): void {
    try {
      tell()
    } catch (error) {
      exchange.stream?.close(constants.NGHTTP2_CANCEL)
      broken(exchange, error instanceof Error ? error : new Error(String(error)))
    }
  }

  function done(exchange: Http2Exchange): void {
    exchange.over = true
    free(exchange)
  }

  function free(exchange: Http2Exchange): void {
    if (!running.delete(exchange)) return
    if (running.size === 0) {
      idleSince = Date.now()
      session.unref()
    }
    origin.freed()
  }

  /** Sent again only where the server says that it has not begun (RFC 9113, 8.7), and once. */
  function broken(exchange: Http2Exchange, error: Error): void {
    if (!running.has(exchange)) return
    const isRefused = exchange.stream?.rstCode === constants.NGHTTP2_REFUSED_STREAM
    free(exchange)
    if (exchange.over) return
    if (isRefused && !exchange.answered && !exchange.retried) {
      exchange.retried = true
      exchange.stream = undefined
      origin.place(exchange)
      return
    }
    exchange.over = true
    exchange.handler.onError(error, false)
  }

  function ping(now: number): void {
    pingedAt = now
    session.ping((error) => {
      pingedAt = 0
      if (error === null) heardAt = Date.now()
    })
  }

  function look(now: number): void {
    if (!open && now - openedAt >= origin.connectMs) fall(`no connection to ${origin.url} in time`)
    else if (pingedAt > 0 && now - pingedAt >= origin.pingMs) fall('the session gave no sign of life')
    else if (running.size === 0 && now - idleSince >= origin.idleMs) {
      leaving = true
      session.close()
    }
    for (const exchange of running) {
      const limit = exchange.answered ? (exchange.request.betweenMs ?? exchange.request.timeoutMs) : exchange.request.timeoutMs
      if (exchange.paused) exchange.since = now
      else if (now - exchange.since >= limit) timedOut(exchange)
    }
  }

  function timedOut(exchange: Http2Exchange): void {
    const { answered } = exchange
    done(exchange)
    exchange.stream?.close(constants.NGHTTP2_CANCEL)
    exchange.handler.onError(new Error(answered ? 'the upstream fell silent in its answer' : 'the upstream sent no answer in time'), true)
  }

  function fall(reason: string): void {
    lost(new Error(reason))
    session.destroy()
  }

  function lost(error: Error): void {
    leaving = true
    origin.left(self)
    for (const exchange of running) broken(exchange, error)
  }
}

function headersOf(request: UpstreamRequest, origin: Http2Origin): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {
    ':method': 'POST',
    ':path': request.path,
    ':scheme': origin.url.startsWith('https') ? 'https' : 'http',
    ':authority': origin.authority,
    'content-length': String(request.body.length),
  }
  for (let i = 0; i < request.headers.length; i += 2) {
    const name = request.headers[i]!.toLowerCase()
    const known = headers[name]
    const value = request.headers[i + 1]!
    headers[name] = known === undefined ? value : typeof known === 'string' ? [known, value] : [...known, value]
  }
  return headers
}

function plain(headers: IncomingHttpHeaders): UpstreamHeaders {
  const found = { __proto__: null } as unknown as Record<string, string | readonly string[] | undefined>
  for (const name in headers) if (!name.startsWith(':')) found[name] = headers[name]
  return found
}

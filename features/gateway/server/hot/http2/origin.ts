import type { ConnectionOptions, TLSSocket } from 'node:tls'
import { openSession } from './session.ts'
import type { Http2Exchange, Session } from './session.ts'

export interface Http2Options {
  /** Sessions to one origin; further requests wait for a stream. */
  readonly sessions: number
  readonly connectMs: number
  /** A session without a stream is kept for this long. */
  readonly idleMs: number
  /** A session that was silent for so long is asked for a sign of life with its next request, and given `pingMs` for it. */
  readonly quietMs: number
  readonly pingMs: number
  /** For certificates of one's own. */
  readonly tls?: Pick<ConnectionOptions, 'ca'>
}

/** The sessions to one server. */
export interface Http2Origin extends Pick<Http2Options, 'connectMs' | 'idleMs' | 'quietMs' | 'pingMs' | 'tls'> {
  readonly url: string
  readonly authority: string
  place(exchange: Http2Exchange): void
  /** Takes back one that still waits. */
  forget(exchange: Http2Exchange): void
  /** A session takes streams, or more of them; a stream is over. */
  opened(): void
  freed(): void
  left(session: Session): void
  gone(session: Session): void
  /** Opens the first session, with a socket that was already negotiated where there is one. */
  warm(socket?: TLSSocket): void
  look(now: number): void
  size(): number
  close(): void
}

export function createHttp2Origin(url: string, options: Http2Options): Http2Origin {
  const sessions = new Set<Session>()
  /** Those that take nothing new, until their streams are over. */
  const leaving = new Set<Session>()
  let waiting: Http2Exchange[] = []

  const place = (exchange: Http2Exchange): void => {
    for (const session of sessions)
      if (session.usable()) {
        session.start(exchange)
        return
      }
    if (sessions.size >= options.sessions) {
      waiting.push(exchange)
      return
    }
    const session = openSession(self)
    sessions.add(session)
    session.start(exchange)
  }
  const next = (): void => {
    while (waiting.length > 0 && [...sessions].some((session) => session.usable())) place(waiting.shift()!)
  }
  const self: Http2Origin = {
    url,
    authority: new URL(url).host,
    connectMs: options.connectMs,
    idleMs: options.idleMs,
    quietMs: options.quietMs,
    pingMs: options.pingMs,
    ...(options.tls === undefined ? {} : { tls: options.tls }),
    place,
    forget: (exchange) => {
      waiting = waiting.filter((one) => one !== exchange)
    },
    opened: next,
    freed: next,
    left: (session) => {
      if (sessions.delete(session)) leaving.add(session)
      // A lost session made room for another.
      const [first, ...rest] = waiting
      if (first === undefined) return
      waiting = rest
      place(first)
    },
    gone: (session) => {
      leaving.delete(session)
    },
    warm: (socket) => {
      if (sessions.size === 0) sessions.add(openSession(self, socket))
      else socket?.destroy()
    },
    look: (now) => {
      for (const session of [...sessions, ...leaving]) session.look(now)
      for (const exchange of waiting.slice()) {
        if (now - exchange.since < exchange.request.timeoutMs) continue
        self.forget(exchange)
        exchange.over = true
        exchange.handler.onError(new Error('no free stream to the upstream in time'), true)
      }
    },
    size: () => sessions.size + leaving.size + waiting.length,
    close: () => {
      for (const exchange of waiting.splice(0)) {
        exchange.over = true
        exchange.handler.onError(new Error('the client was closed'), false)
      }
      for (const session of [...sessions, ...leaving]) session.close()
      sessions.clear()
      leaving.clear()
    },
  }
  return self
}

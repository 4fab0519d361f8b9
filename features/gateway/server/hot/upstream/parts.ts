import type { ConnectionOptions } from 'node:tls'
import type { Exchange, UpstreamHandler } from '../deps.ts'

/** Parts of the upstream client: origins, their connections, the requests on them. Each refers to the others. */

export interface OriginOptions {
  /** Maximum open connections; further requests wait for one. */
  readonly connections: number
  readonly connectMs: number
  /** Maximum idle time of a connection, less if its server requests it. */
  readonly idleMs: number
  /** CA of private certificates. */
  readonly tls?: Pick<ConnectionOptions, 'ca'>
}

/** The connections to one server. */
export interface Origin extends Pick<OriginOptions, 'connectMs' | 'idleMs' | 'tls'> {
  readonly hostname: string
  /** For the host header: includes the port unless it is the default. */
  readonly host: string
  readonly port: number
  readonly isTls: boolean
  /** The newest TLS session, so that further connections need no full handshake. */
  session(): Buffer | undefined
  remember(session: Buffer): void
  size(): number
  place(exchange: RunningExchange): void
  /** Opens connections until there are this many, including busy ones. */
  warm(connections: number): void
  /** Returns a connection that has become idle. */
  release(connection: Connection): void
  lost(connection: Connection): void
  /** Removes an exchange that still waits. */
  forget(exchange: RunningExchange): void
  look(now: number): void
  close(): void
}

/** A connection to an origin, with one exchange on it at a time. */
export interface Connection {
  /** Idle, and reliable for another request. */
  usable(): boolean
  start(exchange: RunningExchange): void
  pause(): void
  resume(): void
  destroy(): void
  close(): void
  look(now: number): void
}

/** One request: waiting for a connection, or on one. Plain data, see call.ts. */
export interface RunningExchange extends Exchange {
  readonly origin: Origin
  readonly handler: UpstreamHandler
  /** Timeout of the current wait: for the head, then for the next bytes. */
  timeoutMs: number
  readonly headMs: number
  readonly betweenMs: number
  /** Bytes to send; released with the first byte of the response. */
  bytes: readonly Buffer[]
  connection: Connection | undefined
  /** Time at which the current wait began. */
  since: number
  retried: boolean
  over: boolean
  written: boolean
}

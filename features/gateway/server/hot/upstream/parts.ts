import type { ConnectionOptions } from 'node:tls'
import type { Exchange, UpstreamHandler } from '../deps.ts'

/** Parts of the upstream client: origins, their connections, the requests on them. Each refers to the others. */

export interface OriginOptions {
  /** Connections open at a time; further requests wait for one. */
  readonly connections: number
  readonly connectMs: number
  /** An idle connection is kept for this long, less where its server says so. */
  readonly idleMs: number
  /** CA of private certificates. */
  readonly tls?: Pick<ConnectionOptions, 'ca'>
}

/** The connections to one server. */
export interface Origin extends Pick<OriginOptions, 'connectMs' | 'idleMs' | 'tls'> {
  readonly hostname: string
  /** For the host header: with the port, where it is not the usual one. */
  readonly host: string
  readonly port: number
  readonly isTls: boolean
  /** The newest TLS session, so that further connections need no full handshake. */
  session(): Buffer | undefined
  remember(session: Buffer): void
  size(): number
  place(exchange: RunningExchange): void
  /** Opens connections until there are so many, busy ones among them. */
  warm(connections: number): void
  /** The connection has nothing to do. */
  release(connection: Connection): void
  lost(connection: Connection): void
  /** Takes back one that still waits. */
  forget(exchange: RunningExchange): void
  look(now: number): void
  close(): void
}

/** A connection to an origin, with one exchange on it at a time. */
export interface Connection {
  /** Idle, and to be relied on for another request. */
  usable(): boolean
  start(exchange: RunningExchange): void
  pause(): void
  resume(): void
  destroy(): void
  close(): void
  look(now: number): void
}

/** One request under way: waiting for a connection, or on one. Plain data, see call.ts. */
export interface RunningExchange extends Exchange {
  readonly origin: Origin
  readonly handler: UpstreamHandler
  /** Of what it waits for now: the head, then the next bytes. */
  timeoutMs: number
  readonly headMs: number
  readonly betweenMs: number
  /** Bytes to send; released with the first byte of the response. */
  bytes: readonly Buffer[]
  connection: Connection | undefined
  /** When it began to wait for what comes next. */
  since: number
  retried: boolean
  over: boolean
  written: boolean
}

import type { Socket } from 'node:net'
import type { Connection, Origin, RunningExchange } from '../parts.ts'
import type { Reader } from '../reading/reader.ts'

/** What is known of one connection. */
export interface State {
  readonly origin: Origin
  /** What its origin and the exchange on it hold of it. */
  readonly self: Connection
  readonly socket: Socket
  readonly reader: Reader
  readonly openedAt: number
  running: RunningExchange | undefined
  open: boolean
  gone: boolean
  paused: boolean
  /** Exchanges that it has served; one for a connection that was opened ahead, since it may have gone stale like one that was kept. */
  served: number
  /** How long the server lets it be idle. */
  keepMs: number
  idleUntil: number
  /** Head or body bytes of the running exchange were seen. */
  answered: boolean
  /** Request bytes not yet taken by the system, when last looked at. */
  unsent: number
  /** What of a large body was not yet written. */
  rest: Buffer | undefined
  sentAt: number
}

import type { Socket } from 'node:net'
import type { Connection, Origin, RunningExchange } from '../parts.ts'
import type { ResponseReader } from '../reading/reader.ts'

/** State of one upstream connection. */
export interface ConnectionState {
  readonly origin: Origin
  /** Handle for its origin and the running exchange. */
  readonly self: Connection
  readonly socket: Socket
  readonly reader: ResponseReader
  readonly openedAt: number
  running: RunningExchange | undefined
  open: boolean
  gone: boolean
  paused: boolean
  /** Exchanges that it has served; one for a connection that was opened ahead, since it may be stale like a kept one. */
  served: number
  /** Idle time that the server allows. */
  keepMs: number
  idleUntil: number
  /** Head or body bytes of the running exchange were seen. */
  answered: boolean
  /** Request bytes not yet taken by the kernel at the last check. */
  unsent: number
  /** Unwritten part of a large body. */
  rest: Buffer | undefined
  sentAt: number
}

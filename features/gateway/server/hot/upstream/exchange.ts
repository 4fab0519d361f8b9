import type { Exchange, UpstreamHandler, UpstreamRequest } from '../deps.ts'
import type { Connection } from './connection.ts'
import type { Origin } from './origin.ts'

/** One request under way: waiting for a connection, or on one. Plain data, see call.ts. */
export interface RunningExchange extends Exchange {
  readonly origin: Origin
  readonly handler: UpstreamHandler
  /** Of what it waits for now: the head, then the next bytes. */
  timeoutMs: number
  readonly betweenMs: number
  /** What goes on the wire; let go of with the first byte of the response. */
  bytes: readonly Buffer[]
  connection: Connection | undefined
  /** When it began to wait for what comes next. */
  since: number
  retried: boolean
  over: boolean
  written: boolean
}

export function newExchange(origin: Origin, handler: UpstreamHandler, request: UpstreamRequest, bytes: readonly Buffer[]): RunningExchange {
  return {
    origin,
    handler,
    timeoutMs: request.timeoutMs,
    betweenMs: request.betweenMs ?? request.timeoutMs,
    bytes,
    connection: undefined,
    since: Date.now(),
    retried: false,
    over: false,
    written: false,
  }
}

export function abort(exchange: RunningExchange): void {
  if (exchange.over) return
  exchange.over = true
  if (exchange.connection === undefined) exchange.origin.forget(exchange)
  else exchange.connection.destroy()
}

export function fail(exchange: RunningExchange, error: Error, isTimeout = false): void {
  if (exchange.over) return
  exchange.over = true
  exchange.handler.onError(error, isTimeout)
}

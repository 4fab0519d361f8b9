import { failExchange } from '../exchange.ts'
import { ignoreInput } from '../reading/reader.ts'
import type { ConnectionState } from './state.ts'

/** A kept connection that fails this soon after a request, without a byte, was closed by the server while we wrote. */
const STALE_WITHIN_MS = 1_000

/** Ends a lost connection; its exchange fails, or is retried once if only the connection was stale. */
export function loseConnection(s: ConnectionState, error: Error | undefined): void {
  if (s.gone) return
  s.gone = true
  s.rest = undefined
  const exchange = s.running
  s.running = undefined
  ignoreInput(s.reader)
  s.socket.destroy()
  s.origin.lost(s.self)
  if (exchange === undefined || exchange.over) return
  exchange.connection = undefined
  const isStale = s.served > 0 && !s.answered && !exchange.retried && Date.now() - s.sentAt < STALE_WITHIN_MS
  if (isStale) {
    exchange.retried = true
    s.origin.place(exchange)
  } else failExchange(exchange, error ?? new Error('the connection was closed'))
}

/** Ends it without notifying the exchange. */
export function destroyConnection(s: ConnectionState): void {
  s.running = undefined
  loseConnection(s, undefined)
}

/** Ends it, and fails its exchange. */
export function failConnection(s: ConnectionState, error: Error, isTimeout = false): void {
  const exchange = s.running
  destroyConnection(s)
  if (exchange !== undefined) failExchange(exchange, error, isTimeout)
}

import { fail } from '../exchange.ts'
import { stop } from '../reading/reader.ts'
import type { State } from './state.ts'

/** A kept connection that fails this soon after a request, without a byte, was closed by the server while we wrote. */
const STALE_MS = 1_000

/** The connection is over; what runs on it fails, or is sent once more where only the connection was stale. */
export function lose(s: State, error: Error | undefined): void {
  if (s.gone) return
  s.gone = true
  s.rest = undefined
  const exchange = s.running
  s.running = undefined
  stop(s.reader)
  s.socket.destroy()
  s.origin.lost(s.self)
  if (exchange === undefined || exchange.over) return
  exchange.connection = undefined
  const isStale = s.served > 0 && !s.answered && !exchange.retried && Date.now() - s.sentAt < STALE_MS
  if (isStale) {
    exchange.retried = true
    s.origin.place(exchange)
  } else fail(exchange, error ?? new Error('the connection was closed'))
}

/** Ends it without a word to the exchange. */
export function destroy(s: State): void {
  s.running = undefined
  lose(s, undefined)
}

/** Ends it, and fails what runs on it. */
export function destroyWith(s: State, error: Error, isTimeout = false): void {
  const exchange = s.running
  destroy(s)
  if (exchange !== undefined) fail(exchange, error, isTimeout)
}

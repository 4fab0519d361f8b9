import { failExchange } from '../exchange.ts'
import type { ResponseHead } from '../message.ts'
import { endReaderInput, feedReader } from '../reading/reader.ts'
import { destroyConnection, loseConnection } from './lose.ts'
import type { ConnectionState } from './state.ts'

/** Handles the bytes of one socket read; false pauses reading. */
export function handleSocketRead(s: ConnectionState, buffer: Buffer, bytes: number): boolean {
  if (s.gone) return false
  const exchange = s.running
  s.answered = true
  let problem: string | undefined
  try {
    problem = feedReader(s.reader, buffer, bytes)
  } catch (error) {
    // An error in the handler ends only its own call.
    if (exchange === undefined || exchange.over) throw error
    destroyConnection(s)
    failExchange(exchange, error instanceof Error ? error : new Error(String(error)))
    return false
  }
  // A head must be complete in time, however slowly it arrives.
  if (exchange !== undefined && exchange.bytes.length === 0) exchange.since = Date.now()
  if (problem !== undefined) loseConnection(s, new Error(`not HTTP: ${problem}`))
  return !s.paused && !s.gone
}

export function handleHead(s: ConnectionState, head: ResponseHead): void {
  const { idleMs } = s.origin
  const hint = head.keepAliveSeconds
  s.keepMs = !head.keepAlive ? 0 : hint === undefined ? idleMs : Math.min(idleMs, hint * 1_000 - 1_000)
  const exchange = s.running!
  exchange.bytes = []
  exchange.timeoutMs = exchange.betweenMs
  exchange.handler.onHead(head.status, head.headers)
}

export function handleResponseEnd(s: ConnectionState, reusable: boolean): void {
  const exchange = s.running!
  s.running = undefined
  exchange.connection = undefined
  exchange.over = true
  s.served++
  // The response came before the request's end: the remainder would be taken for the next request.
  if (!reusable || s.keepMs <= 0 || s.socket.writableLength > 0 || s.rest !== undefined) loseConnection(s, undefined)
  else {
    if (s.paused) {
      s.paused = false
      s.socket.resume()
    }
    s.idleUntil = Date.now() + s.keepMs
    s.socket.unref()
    s.origin.release(s.self)
  }
  exchange.handler.onEnd()
}

/** The server closed its side. */
export function handleEof(s: ConnectionState): void {
  if (s.gone) return
  if (s.running === undefined || !endReaderInput(s.reader)) loseConnection(s, new Error('the upstream closed the connection'))
}

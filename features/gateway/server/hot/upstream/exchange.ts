import type { UpstreamHandler, UpstreamRequest } from '../deps.ts'
import type { Origin, RunningExchange } from './parts.ts'

export function createExchange(origin: Origin, handler: UpstreamHandler, request: UpstreamRequest, bytes: readonly Buffer[]): RunningExchange {
  return {
    origin,
    handler,
    timeoutMs: request.waitMs ?? request.timeoutMs,
    headMs: request.timeoutMs,
    betweenMs: request.betweenMs ?? request.timeoutMs,
    bytes,
    connection: undefined,
    since: Date.now(),
    retried: false,
    over: false,
    written: false,
  }
}

export function abortExchange(exchange: RunningExchange): void {
  if (exchange.over) return
  exchange.over = true
  if (exchange.connection === undefined) exchange.origin.forget(exchange)
  else exchange.connection.destroy()
}

export function failExchange(exchange: RunningExchange, error: Error, isTimeout = false): void {
  if (exchange.over) return
  exchange.over = true
  exchange.handler.onError(error, isTimeout)
}

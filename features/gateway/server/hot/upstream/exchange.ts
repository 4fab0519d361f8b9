import type { Exchange, UpstreamHandler, UpstreamRequest } from '../deps.ts'
import type { Connection } from './connection.ts'
import type { Origin } from './origin.ts'

/** One request under way: waiting for a connection, or on one. */
export class RunningExchange implements Exchange {
  readonly origin: Origin
  readonly handler: UpstreamHandler
  readonly timeoutMs: number
  /** What goes on the wire; let go of with the first byte of the response. */
  bytes: readonly Buffer[]
  connection: Connection | undefined = undefined
  /** When it began to wait for what comes next. */
  since = Date.now()
  retried = false
  over = false

  constructor(origin: Origin, handler: UpstreamHandler, request: UpstreamRequest, bytes: readonly Buffer[]) {
    this.origin = origin
    this.handler = handler
    this.timeoutMs = request.timeoutMs
    this.bytes = bytes
  }

  abort(): void {
    if (this.over) return
    this.over = true
    if (this.connection === undefined) this.origin.forget(this)
    else this.connection.destroy()
  }

  pause(): void {
    if (!this.over) this.connection?.pause()
  }

  resume(): void {
    if (!this.over) this.connection?.resume()
  }

  fail(error: Error, isTimeout = false): void {
    if (this.over) return
    this.over = true
    this.handler.onError(error, isTimeout)
  }
}

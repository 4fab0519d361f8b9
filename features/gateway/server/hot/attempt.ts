import type { Dispatcher } from 'undici'
import type { Call, Dial } from './call.ts'
import type { Route } from './deps.ts'
import type { Cause } from './errors.ts'

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2]

/** Where a streamed answer goes. */
export interface StreamSink {
  data(chunk: Buffer): void
  /** clean: the upstream ended its body as HTTP asks, which says nothing about the answer in it. */
  end(clean: boolean): void
}

/** Where a dial's bytes and its end go. */
export interface Sink {
  /** Undefined: the answer is collected and given to `whole`. */
  readonly stream: (attempt: Attempt, isEvents: boolean) => StreamSink | undefined
  readonly whole: (attempt: Attempt, body: Buffer) => void
  readonly error: (attempt: Attempt, body: Buffer) => void
  readonly failure: (attempt: Attempt, cause: Cause) => void
  readonly dial: (call: Call, route: Route) => void
}

/** A whole answer or an error body larger than this is nonsense. */
const WHOLE_BYTES = 256 * 1024 * 1024
const ERROR_BYTES = 1024 * 1024

class LeftError extends Error {}

/** One dial. undici wants an object with methods; it only sorts the bytes. */
export class Attempt implements Dispatcher.DispatchHandler, Dial {
  readonly call: Call
  readonly route: Route
  readonly sink: Sink
  controller: Dispatcher.DispatchController | undefined = undefined
  status = 0
  headers: Headers = {}
  stream: StreamSink | undefined = undefined
  chunks: Buffer[] = []
  bytes = 0
  over = false
  aborted = false

  constructor(call: Call, route: Route, sink: Sink) {
    this.call = call
    this.route = route
    this.sink = sink
  }

  /** Leaves the upstream; nothing more of it is heard. */
  abort(): void {
    this.over = true
    this.aborted = true
    this.stream = undefined
    this.controller?.abort(new LeftError('left'))
  }

  /** After the end the connection belongs to another call: pausing it would stop that one. */
  pause(): void {
    if (!this.over) this.controller?.pause()
  }

  resume(): void {
    if (!this.over) this.controller?.resume()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    if (this.over) controller.abort(new LeftError('left'))
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (this.over || status < 200) return
    this.status = status
    this.headers = headers
    if (status >= 300 || this.call.rules!.stream === undefined || this.call.target!.free) return
    const type = headers['content-type']
    this.stream = this.sink.stream(this, typeof type === 'string' && type.startsWith('text/event-stream'))
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.stream !== undefined) {
      this.stream.data(chunk)
      return
    }
    if (this.over) return
    this.bytes += chunk.length
    if (this.bytes > (this.status < 300 ? WHOLE_BYTES : ERROR_BYTES)) {
      this.abort()
      this.sink.failure(this, 'upstream_failed')
      return
    }
    this.chunks.push(chunk)
  }

  onResponseEnd(): void {
    if (this.stream !== undefined) {
      this.stream.end(true)
      return
    }
    if (this.over) return
    this.over = true
    const body = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks, this.bytes)
    if (this.status >= 200 && this.status < 300) this.sink.whole(this, body)
    else this.sink.error(this, body)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.over && this.stream === undefined) return
    this.call.deps.log.warn({ upstream: this.route.upstream.id, error: error.message, requestId: this.call.requestId }, 'upstream failed')
    if (this.stream !== undefined) {
      this.stream.end(false)
      return
    }
    this.over = true
    const isTimeout = error.name === 'HeadersTimeoutError' || error.name === 'BodyTimeoutError'
    this.sink.failure(this, isTimeout ? 'upstream_timeout' : 'upstream_failed')
  }
}

import type { GatewayCall, DialHandle } from './call.ts'
import type { Exchange, Route, UpstreamHandler, UpstreamHeaders, Gate } from './deps.ts'
import type { ApiErrorCause } from './errors.ts'
import { leaveGate } from './queue/queue.ts'
import { readRequestId } from './upstream/request-id.ts'

/** Receiver of a streamed answer. */
export interface StreamSink {
  data(chunk: Buffer): void
  /** clean: the upstream ended its body as HTTP requires, which does not prove that the answer is complete */
  end(clean: boolean): void
}

/** Receiver of an attempt's bytes and outcome. */
export interface AttemptSink {
  /** Undefined if the answer is collected and given to `whole`. */
  readonly stream: (attempt: Attempt, isEvents: boolean) => StreamSink | undefined
  readonly whole: (attempt: Attempt, body: Buffer) => void
  readonly error: (attempt: Attempt, body: Buffer) => void
  readonly failure: (attempt: Attempt, cause: ApiErrorCause) => void
  readonly dial: (call: GatewayCall, route: Route) => void
}

/** Maximum size of a whole answer or an error body; a larger one is malformed. */
const WHOLE_BYTES = 256 * 1024 * 1024
const ERROR_BYTES = 1024 * 1024

/** One dial: sorts the callbacks of the `upstream/` client. */
export class Attempt implements UpstreamHandler, DialHandle {
  readonly call: GatewayCall
  readonly route: Route
  readonly sink: AttemptSink
  exchange: Exchange | undefined = undefined
  status = 0
  headers: UpstreamHeaders = {}
  stream: StreamSink | undefined = undefined
  chunks: Buffer[] = []
  bytes = 0
  over = false
  aborted = false
  /** Our own timeout ended it. */
  timedOut = false
  /** The route's timeout has passed, ours has not. */
  isLate = false
  readonly at = Date.now()
  /** The call's slot at the upstream, until the attempt is over. */
  gate: Gate | undefined

  constructor(call: GatewayCall, route: Route, sink: AttemptSink) {
    this.call = call
    this.route = route
    this.sink = sink
    this.gate = route.upstream.gate
  }

  get isAsked(): boolean {
    return this.exchange?.written === true
  }

  /** Hands its slot at the upstream to another call. */
  leave(): void {
    const { gate } = this
    if (gate === undefined) return
    this.gate = undefined
    leaveGate(gate)
  }

  /** Aborts the upstream request; later callbacks are ignored. */
  abort(): void {
    this.over = true
    this.aborted = true
    this.stream = undefined
    if (this.exchange !== undefined) this.route.upstream.client.abort(this.exchange)
    this.leave()
  }

  pause(): void {
    if (this.exchange !== undefined) this.route.upstream.client.pause(this.exchange)
  }

  resume(): void {
    if (this.exchange !== undefined) this.route.upstream.client.resume(this.exchange)
  }

  onHead(status: number, headers: UpstreamHeaders): void {
    if (this.over) return
    this.status = status
    this.headers = headers
    // at once: an answer that arrived whole while this process was stalled is settled before its headers are sent
    this.call.upstreamRequestId = readRequestId(headers)
    if (status >= 300 || this.call.rules!.stream === undefined || this.call.target!.free) return
    const type = headers['content-type']
    this.stream = this.sink.stream(this, typeof type === 'string' && type.startsWith('text/event-stream'))
  }

  onData(chunk: Buffer): void {
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

  onEnd(): void {
    this.leave()
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

  onError(error: Error, isTimeout: boolean): void {
    this.leave()
    if (this.over && this.stream === undefined) return
    this.timedOut = isTimeout
    this.call.deps.log.warn({ upstream: this.route.upstream.id, error: error.message, requestId: this.call.requestId }, 'upstream failed')
    if (this.stream !== undefined) {
      this.stream.end(false)
      return
    }
    this.over = true
    this.sink.failure(this, isTimeout ? 'upstream_timeout' : 'upstream_failed')
  }
}

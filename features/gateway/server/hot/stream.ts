import type { Attempt, StreamSink } from './attempt.ts'
import type { Call } from './call.ts'
import { noteRoute } from './choose.ts'
import type { StreamRules } from './dialects/dialect.ts'
import { eventEnd, isWholeEvent } from './dialects/sse.ts'
import { estimateBytes } from './estimate.ts'
import { beginChunks, writeChunk } from './reply.ts'
import { settle } from './settle.ts'
import type { Ending } from './settle.ts'
import { elementEnd, splitElements, splitEvents } from './splitter.ts'
import type { Splitter } from './splitter.ts'
import { streamHeaders } from './response-headers.ts'
import { remember, tallyUp } from './tally.ts'
import { endOfFailure, settleFailed } from './whole.ts'

/** An unfinished event larger than this is nonsense (a picture inside one event is some megabytes). */
const EVENT_BYTES = 64 * 1024 * 1024
/** Events that may wait for the promise of money to be written, before the upstream is asked to wait too. */
const WAITING_BYTES = 262_144
/** A body above this is let go of at the first byte. */
const KEPT_BODY_BYTES = 262_144
const NO_BODY = Buffer.alloc(0)
const CUT = 'The model\'s provider ended this answer before its end. What was sent is billed; ask again for the rest.'

interface Flow {
  readonly attempt: Attempt
  readonly call: Call
  readonly rules: StreamRules
  readonly isArray: boolean
  readonly splitter: Splitter
  /** Chunks of this turn, taken together. */
  fresh: Buffer[]
  scheduled: boolean
  /** The end of the answer, or what may be it. */
  held: Buffer[]
  /** Waiting for the promise of money. */
  queued: Buffer[]
  queuedBytes: number
  arrayClosed: boolean
  begun: boolean
  over: boolean
}

/** Begins to relay events as they come; undefined when the answer is no stream. */
export function openStream(attempt: Attempt, isEvents: boolean): StreamSink | undefined {
  const { call } = attempt
  const isArray = !isEvents && call.surface === 'gemini' && call.facts!.stream
  if (!isEvents && !isArray) return undefined
  const flow: Flow = {
    attempt, call, rules: call.rules!.stream!, isArray,
    splitter: isArray ? splitElements(() => { flow.arrayClosed = true }) : splitEvents(),
    fresh: [], scheduled: false, held: [], queued: [], queuedBytes: 0, arrayClosed: false, begun: false, over: false,
  }
  return {
    data(chunk) {
      if (flow.over) return
      flow.fresh.push(chunk)
      if (flow.scheduled) return
      // One turn of the socket often brings many small chunks: they are looked at and written together.
      flow.scheduled = true
      queueMicrotask(() => take(flow))
    },
    end(clean) {
      attempt.stream = undefined
      attempt.over = true
      if (flow.over) return
      take(flow)
      if (!flow.over) endOfStream(flow, clean)
    },
  }
}

function take(flow: Flow): void {
  flow.scheduled = false
  if (flow.fresh.length === 0 || flow.over || flow.attempt.aborted) return
  const data = flow.fresh.length === 1 ? flow.fresh[0]! : Buffer.concat(flow.fresh)
  flow.fresh = []
  const events = flow.splitter.feed(data)
  if (events !== undefined) relayEvents(flow, events)
  if (flow.splitter.waiting > EVENT_BYTES && !flow.over) {
    flow.attempt.abort()
    endOfStream(flow, false)
  }
}

function relayEvents(flow: Flow, events: Buffer): void {
  const { call, rules } = flow
  if (!rules.matters(events, call.strip, call.meter)) {
    send(flow, flow.held.length === 0 ? events : Buffer.concat([...flow.held.splice(0), events]))
    return
  }
  const next = flow.isArray ? elementEnd : eventEnd
  const out: Buffer[] = []
  /** Where the run of events began that go on as they are: they are sent as one. */
  let run = 0
  const flush = (to: number): void => {
    if (to > run) out.push(events.subarray(run, to))
  }
  for (let from = 0; from < events.length;) {
    const end = next(events, from)
    const event = events.subarray(from, end)
    const verdict = call.meter.ended ? 'end' : flow.isArray && event.indexOf(123) < 0 ? 'hold' : rules.onEvent(event, call.strip, call.meter)
    if (verdict !== 'pass') {
      flush(from)
      run = end
    }
    // An event that is not the end: what was held before it was not the end either.
    if (flow.held.length > 0 && (verdict === 'pass' || typeof verdict !== 'string')) out.push(...flow.held.splice(0))
    if (verdict === 'hold' || verdict === 'end') flow.held.push(event)
    else if (typeof verdict !== 'string') out.push(verdict)
    from = end
  }
  flush(events.length)
  if (out.length > 0) send(flow, out.length === 1 ? out[0]! : Buffer.concat(out))
  // The vendor's end is here: the client need not wait for the connection's.
  if (call.meter.ended) close(flow, call.meter.failed ? 'failed' : 'complete', undefined)
}

function send(flow: Flow, events: Buffer): void {
  const { call } = flow
  remember(call, events)
  if (!flow.begun) begin(flow)
  if (call.gone) return
  if (call.durable) {
    write(flow, events)
    return
  }
  flow.queued.push(events)
  flow.queuedBytes += events.length
  if (flow.queuedBytes > WAITING_BYTES) flow.attempt.pause()
  if (flow.queued.length === 1) call.reserving!.then(() => release(flow), () => undefined)
}

function release(flow: Flow): void {
  const { queued } = flow
  flow.queued = []
  if (flow.queuedBytes > WAITING_BYTES) flow.attempt.resume()
  flow.queuedBytes = 0
  if (queued.length > 0 && !flow.call.gone) write(flow, queued.length === 1 ? queued[0]! : Buffer.concat(queued))
}

function begin(flow: Flow): void {
  const { call } = flow
  flow.begun = true
  call.status = flow.attempt.status
  call.firstByteAt = Date.now()
  noteRoute(call, flow.attempt.route, true)
  call.streaming = true
  call.deps.metrics.stream(1)
  if (call.body.length > KEPT_BODY_BYTES) {
    call.inputEstimate = estimateBytes(call.body)
    call.body = NO_BODY
  }
}

function write(flow: Flow, events: Buffer): void {
  const { call } = flow
  call.since = Date.now()
  const goOn = call.sent ? writeChunk(call, events) : beginChunks(call, streamHeaders(flow.attempt), events)
  if (goOn || call.blockedSince > 0 || flow.over) return
  call.blockedSince = call.since
  flow.attempt.pause()
  const waited = call.socket ?? call.res
  waited.once('drain', () => {
    call.blockedSince = 0
    flow.attempt.resume()
  })
}

/** The upstream's body is over, cleanly or not; whether the answer is, the events decide. */
function endOfStream(flow: Flow, clean: boolean): void {
  const { call } = flow
  const rest = flow.splitter.rest()
  // Some vendors leave out the blank line after their last event.
  const isRestWhole = rest === undefined || (clean && !flow.isArray && isWholeEvent(rest))
  if (rest !== undefined && flow.isArray && flow.arrayClosed) flow.held.push(rest)
  else if (rest !== undefined && isRestWhole) {
    relayEvents(flow, rest)
    if (flow.over) return
  }
  if (!flow.begun && flow.held.length === 0) {
    flow.over = true
    endOfFailure(flow.attempt, 'upstream_failed')
    return
  }
  // For vendors that leave out their end mark: the finish reason was relayed.
  tallyUp(call)
  const isWhole = clean && (flow.isArray ? flow.arrayClosed : isRestWhole) && (call.meter.final && flow.held.length > 0 || call.tally.finished)
  close(flow, isWhole ? 'complete' : 'cut', isWhole ? undefined : cutEvent(flow))
}

function cutEvent(flow: Flow): Buffer {
  const event = flow.rules.cut(CUT, flow.call.requestId)
  if (!flow.isArray) return event
  const json = event.subarray(event.indexOf(123)).toString().trimEnd()
  return Buffer.from(`${flow.call.sent || flow.queued.length > 0 ? ',\n' : '['}${json}]`)
}

/** Settles, then lets the client see the end. */
function close(flow: Flow, ending: Ending, last: Buffer | undefined): void {
  const { call } = flow
  flow.over = true
  if (!flow.begun) begin(flow)
  // Nothing more is taken from the upstream, and its connection is not kept waiting.
  flow.attempt.resume()
  const held = flow.held
  for (const event of held) remember(call, event)
  if (last !== undefined) held.push(last)
  settle(call, ending, flow.rules.rawUsage(call.meter), undefined).then(() => finishStream(flow, held), (error: unknown) => {
    if (!call.sent) {
      settleFailed(call, error)
      return
    }
    call.deps.log.error({ error, requestId: call.requestId }, 'settlement failed: the end of the answer is withheld')
    finishStream(flow, [flow.rules.cut('The answer could not be accounted for; its end is withheld.', call.requestId)])
  })
}

function finishStream(flow: Flow, held: readonly Buffer[]): void {
  const { call } = flow
  if (call.gone || call.res.destroyed || call.res.writableEnded) return
  release(flow)
  // A response that was never begun has no socket of ours yet.
  const socket = call.socket
  socket?.cork()
  if (held.length > 0) write(flow, held.length === 1 ? held[0]! : Buffer.concat(held))
  call.phase = 'closing'
  call.since = Date.now()
  call.res.end()
  socket?.uncork()
}

import type { Attempt } from '../attempt.ts'
import type { GatewayCall } from '../call.ts'
import type { StreamRules } from '../dialects/dialect.ts'
import { estimateBytes } from '../usage/estimate.ts'
import { beginChunks, writeChunk } from '../reply/reply.ts'
import { buildStreamHeaders } from './response-headers.ts'
import { recordUpstreamSuccess } from '../choice/breakers.ts'
import { sampleLoopPace, scheduleWrite } from './pace.ts'
import type { PacedWriter } from './pace.ts'
import type { Splitter } from '../dialects/splitter.ts'
import { recordRelayed } from '../settlement/tally.ts'
import { batchWrite } from './turns.ts'
import type { Translator } from '../translate/call.ts'
import type { BatchedWriter } from './turns.ts'

/** Bytes of events that may wait for the promise of money to be durable before reading from the upstream pauses. */
const MAX_WAITING_BYTES = 262_144
/** Request bodies larger than this, in bytes, are released at the first byte of the answer. */
const MAX_RETAINED_BODY_BYTES = 262_144
/** Events that follow a write within this time are batched with later ones. */
const COALESCE_MS = 3
/** Multiple of the base pace (pace.ts) from which reading from the upstream also pauses until the next write is due. */
const REST_PACE_FACTOR = 2
const NO_BODY = Buffer.alloc(0)

/** An answer in transit. */
export interface AnswerFlow extends BatchedWriter, PacedWriter {
  readonly attempt: Attempt
  readonly call: GatewayCall
  readonly rules: StreamRules
  /** Undefined if the bytes pass unchanged. */
  readonly translator: Translator | undefined
  readonly splitter: Splitter
  /** The end of the answer, or a candidate for it. */
  held: Buffer[]
  /** Events held back: for the promise of money, or to be batched with later ones. */
  queued: Buffer[]
  queuedBytes: number
  /** Reading from the upstream is paused until `due`. */
  resting: boolean
  arrayClosed: boolean
  begun: boolean
  over: boolean
}

export function sendEvents(flow: AnswerFlow, events: Buffer): void {
  recordRelayed(flow.call, events)
  forwardEvents(flow, events)
}

/** Sends events to the client without metering them: translated events are metered as the upstream sent them. */
export function forwardEvents(flow: AnswerFlow, events: Buffer): void {
  const { call } = flow
  if (!flow.begun) beginAnswer(flow)
  if (call.gone) return
  const isFirst = flow.queued.length === 0
  const { fullPaceMs } = call.deps.limits
  let pace = 0
  if (call.durable && isFirst) {
    const now = Date.now()
    if (fullPaceMs !== undefined) pace = fullPaceMs * sampleLoopPace(now)
    if (!call.sent || now - call.since >= Math.max(pace, COALESCE_MS)) {
      writeEvents(flow, events)
      return
    }
  }
  flow.queued.push(events)
  flow.queuedBytes += events.length
  if (flow.queuedBytes > MAX_WAITING_BYTES) flow.attempt.pause()
  if (!isFirst) return
  if (pace > 0) {
    flow.due = call.since + pace
    scheduleWrite(flow)
  } else if (call.durable) batchWrite(flow)
  else
    call.reserving!.then(
      () => releaseQueued(flow),
      () => undefined,
    )
}

/** Writes the queued events and resumes reading, if either was deferred. */
export function releaseQueued(flow: AnswerFlow): void {
  const { call, queued } = flow
  const isHeldBack = flow.resting || flow.queuedBytes > MAX_WAITING_BYTES
  flow.resting = false
  flow.queued = []
  flow.queuedBytes = 0
  if (queued.length > 0 && !call.gone) writeEvents(flow, queued.length === 1 ? queued[0]! : Buffer.concat(queued))
  if (isHeldBack && call.blockedSince === 0 && !flow.resting) flow.attempt.resume()
}

export function beginAnswer(flow: AnswerFlow): void {
  const { call } = flow
  flow.begun = true
  call.status = flow.attempt.status
  call.firstByteAt = Date.now()
  recordUpstreamSuccess(call.breakers, flow.attempt.route)
  call.streaming = true
  call.deps.metrics.stream(1)
  if (call.body.length > MAX_RETAINED_BODY_BYTES) {
    call.inputEstimate = call.facts!.media === undefined ? estimateBytes(call.body) : 1
    call.body = NO_BODY
  }
}

export function writeEvents(flow: AnswerFlow, events: Buffer): void {
  const { call } = flow
  call.since = Date.now()
  // A fast answer ends before its second write is due, so it is never paced.
  const mayRest = call.sent
  const goOn = call.sent ? writeChunk(call, events) : beginChunks(call, buildStreamHeaders(flow.attempt), events)
  if (flow.over || call.blockedSince > 0) return
  if (goOn || hasBufferRoom(call)) {
    if (goOn && mayRest) pauseUntilDue(flow)
    return
  }
  call.blockedSince = call.since
  flow.attempt.pause()
  const waited = call.socket ?? call.res
  waited.once('drain', () => {
    noteBlock(call, Date.now())
    call.blockedSince = 0
    flow.attempt.resume()
  })
}

const HELD_UP_MS = 30_000
/** Maximum time that the vendor's end may stay unread after reading resumes. */
const BLOCK_GRACE_MS = 60_000

function noteBlock(call: GatewayCall, now: number): void {
  if (now - call.blockedSince >= (call.deps.limits.heldUpMs ?? HELD_UP_MS)) call.blockedUntil = now + BLOCK_GRACE_MS
}

/** True if the socket's buffer has room. Writes also fail after a disconnect, which does not count as a blocking client. */
function hasBufferRoom({ socket }: GatewayCall): boolean {
  return socket !== undefined && socket.writableLength < socket.writableHighWaterMark
}

/** Under sustained load, leaves incoming bytes in the kernel until the next write is due, then reads and writes them at once. */
function pauseUntilDue(flow: AnswerFlow): void {
  const { call } = flow
  const { fullPaceMs } = call.deps.limits
  const times = fullPaceMs === undefined ? 0 : sampleLoopPace(call.since)
  if (times < REST_PACE_FACTOR) return
  flow.resting = true
  flow.due = call.since + fullPaceMs! * times
  flow.attempt.pause()
  scheduleWrite(flow)
}

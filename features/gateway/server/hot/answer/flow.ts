import type { Attempt } from '../attempt.ts'
import type { Call } from '../call.ts'
import type { StreamRules } from '../dialects/dialect.ts'
import { estimateBytes } from '../usage/estimate.ts'
import { beginChunks, writeChunk } from '../reply/reply.ts'
import { streamHeaders } from './response-headers.ts'
import { noteWorks } from '../choice/breakers.ts'
import { loopPace, writeLater } from './pace.ts'
import type { Paced } from './pace.ts'
import type { Splitter } from '../dialects/splitter.ts'
import { remember } from '../settlement/tally.ts'
import { gather } from './turns.ts'
import type { Translator } from '../translate/call.ts'
import type { Gathered } from './turns.ts'

/** Events that may wait for the promise of money to be written, before the upstream is asked to wait too. */
const WAITING_BYTES = 262_144
/** A body above this is let go of at the first byte. */
const KEPT_BODY_BYTES = 262_144
/** Events that follow a write this closely wait for others to be written with. */
const CLOSE_MS = 3
/** From so many times the first pace on (pace.ts), the upstream is not read either until the next write is due. */
const REST_TIMES = 2
const NO_BODY = Buffer.alloc(0)

/** One answer on its way through. */
export interface Flow extends Gathered, Paced {
  readonly attempt: Attempt
  readonly call: Call
  readonly rules: StreamRules
  /** Undefined where the bytes pass as they came. */
  readonly translator: Translator | undefined
  readonly splitter: Splitter
  /** The end of the answer, or what may be it. */
  held: Buffer[]
  /** Waiting for the promise of money, or for more to be written with. */
  queued: Buffer[]
  queuedBytes: number
  /** The upstream is not being read until `due`. */
  resting: boolean
  arrayClosed: boolean
  begun: boolean
  over: boolean
}

export function send(flow: Flow, events: Buffer): void {
  remember(flow.call, events)
  give(flow, events)
}

/** For the client, but not to be counted: what was translated is counted as the upstream said it. */
export function give(flow: Flow, events: Buffer): void {
  const { call } = flow
  if (!flow.begun) begin(flow)
  if (call.gone) return
  const isFirst = flow.queued.length === 0
  const { fullPaceMs } = call.deps.limits
  let pace = 0
  if (call.durable && isFirst) {
    const now = Date.now()
    if (fullPaceMs !== undefined) pace = fullPaceMs * loopPace(now)
    if (!call.sent || now - call.since >= Math.max(pace, CLOSE_MS)) {
      write(flow, events)
      return
    }
  }
  flow.queued.push(events)
  flow.queuedBytes += events.length
  if (flow.queuedBytes > WAITING_BYTES) flow.attempt.pause()
  if (!isFirst) return
  if (pace > 0) {
    flow.due = call.since + pace
    writeLater(flow)
  } else if (call.durable) gather(flow)
  else
    call.reserving!.then(
      () => release(flow),
      () => undefined,
    )
}

/** Writes the queued events and resumes reading, if either was deferred. */
export function release(flow: Flow): void {
  const { call, queued } = flow
  const isHeldBack = flow.resting || flow.queuedBytes > WAITING_BYTES
  flow.resting = false
  flow.queued = []
  flow.queuedBytes = 0
  if (queued.length > 0 && !call.gone) write(flow, queued.length === 1 ? queued[0]! : Buffer.concat(queued))
  if (isHeldBack && call.blockedSince === 0 && !flow.resting) flow.attempt.resume()
}

export function begin(flow: Flow): void {
  const { call } = flow
  flow.begun = true
  call.status = flow.attempt.status
  call.firstByteAt = Date.now()
  noteWorks(call.breakers, flow.attempt.route)
  call.streaming = true
  call.deps.metrics.stream(1)
  if (call.body.length > KEPT_BODY_BYTES) {
    call.inputEstimate = call.facts!.media === undefined ? estimateBytes(call.body) : 1
    call.body = NO_BODY
  }
}

export function write(flow: Flow, events: Buffer): void {
  const { call } = flow
  call.since = Date.now()
  // A fast answer ends before its second write is due: it never rests.
  const mayRest = call.sent
  const goOn = call.sent ? writeChunk(call, events) : beginChunks(call, streamHeaders(flow.attempt), events)
  if (flow.over || call.blockedSince > 0) return
  if (goOn || isBroken(call)) {
    if (goOn && mayRest) rest(flow)
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
/** The vendor's end may lie unread for as long as it is read again. */
const AFTER_MS = 60_000

function noteBlock(call: Call, now: number): void {
  if (now - call.blockedSince >= (call.deps.limits.heldUpMs ?? HELD_UP_MS)) call.blockedUntil = now + AFTER_MS
}

/** A client that has just left takes nothing more either, but nothing waits for it: it did not hold anybody up. */
function isBroken({ socket }: Call): boolean {
  return socket !== undefined && socket.writableLength < socket.writableHighWaterMark
}

/** Under sustained load, leaves incoming bytes in the kernel until the next write is due, then reads and writes them at once. */
function rest(flow: Flow): void {
  const { call } = flow
  const { fullPaceMs } = call.deps.limits
  const times = fullPaceMs === undefined ? 0 : loopPace(call.since)
  if (times < REST_TIMES) return
  flow.resting = true
  flow.due = call.since + fullPaceMs! * times
  flow.attempt.pause()
  writeLater(flow)
}

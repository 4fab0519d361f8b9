import type { Attempt, StreamSink } from '../attempt.ts'
import type { GatewayCall } from '../call.ts'
import { beginAnswer, forwardEvents, releaseQueued } from './flow.ts'
import type { AnswerFlow } from './flow.ts'
import { isBillOwed } from '../settlement/owed.ts'
import { settle } from '../settlement/settle.ts'
import { createEventSplitter } from '../dialects/splitter.ts'
import { finishStream } from './stream.ts'
import { finishFailedAttempt, refuseUnsettled } from './whole.ts'

/** Bytes kept of the answer's beginning and of its end, to measure its duration. */
const SAMPLE_BYTES = 32_768

/** A binary answer in transit: bytes passed, its beginning, its newest piece, and its last byte, which waits for the settlement. */
interface ByteRelay {
  readonly flow: AnswerFlow
  head: Buffer[]
  headBytes: number
  newest: Buffer | undefined
  last: Buffer | undefined
}

/** True if the request asked for audio or plain text and the response contains it. */
export function isByteAnswer(attempt: Attempt): boolean {
  const asked = attempt.call.facts?.media?.answer
  if (asked !== 'audio' && asked !== 'text') return false
  const type = attempt.headers['content-type']
  if (typeof type !== 'string') return false
  return asked === 'audio'
    ? type.startsWith('audio/') || type.startsWith('application/octet-stream')
    : type.startsWith('text/') && !type.startsWith('text/html')
}

/** Relays bytes as they arrive; the last byte is sent once the settlement is durable. */
export function openByteRelay(attempt: Attempt): StreamSink {
  const { call } = attempt
  const flow: AnswerFlow = {
    attempt,
    call,
    rules: call.rules!.stream!,
    translator: undefined,
    splitter: createEventSplitter(),
    held: [],
    queued: [],
    queuedBytes: 0,
    resting: false,
    arrayClosed: false,
    begun: false,
    over: false,
    turns: 0,
    due: 0,
    flush: () => releaseQueued(flow),
  }
  const bytes: ByteRelay = { flow, head: [], headBytes: 0, newest: undefined, last: undefined }
  return {
    data: (chunk) => relayChunk(bytes, chunk),
    end(clean) {
      attempt.stream = undefined
      attempt.over = true
      finishBytes(bytes, call, clean)
    },
  }
}

function relayChunk(bytes: ByteRelay, chunk: Buffer): void {
  const { flow } = bytes
  if (flow.over || flow.attempt.aborted || chunk.length === 0) return
  flow.call.tally.bytes += chunk.length
  if (bytes.headBytes < SAMPLE_BYTES) {
    bytes.head.push(chunk)
    bytes.headBytes += chunk.length
  }
  bytes.newest = chunk
  const { last } = bytes
  bytes.last = chunk.subarray(chunk.length - 1)
  const rest = chunk.subarray(0, chunk.length - 1)
  const out = last === undefined ? rest : rest.length === 0 ? last : Buffer.concat([last, rest])
  if (out.length > 0) forwardEvents(flow, out)
}

function finishBytes(bytes: ByteRelay, call: GatewayCall, clean: boolean): void {
  const { flow, last } = bytes
  flow.over = true
  if (last === undefined || (!clean && !flow.begun)) {
    finishFailedAttempt(flow.attempt, flow.attempt.timedOut ? 'upstream_timeout' : 'upstream_failed')
    return
  }
  if (!flow.begun) beginAnswer(flow)
  const head = Buffer.concat(bytes.head)
  const sample = bytes.newest === undefined || call.tally.bytes <= head.length ? head : Buffer.concat([head, bytes.newest])
  settle(call, clean ? 'complete' : isBillOwed(flow.attempt) ? 'limit' : 'cut', undefined, sample).then(
    // Binary data cannot say that it is incomplete, so the connection is cut.
    () => (clean ? finishStream(flow, [last]) : call.res.destroy()),
    (error: unknown) => {
      if (!call.sent) refuseUnsettled(call, error)
      else {
        call.deps.log.error({ error, requestId: call.requestId }, 'settlement failed: the end of the answer is withheld')
        call.res.destroy()
      }
    },
  )
}

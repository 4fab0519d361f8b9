import type { WebSocket } from 'ws'
import { parseLiveUsage } from '../dialects/realtime.ts'
import { scanObject } from '../json/scan.ts'
import type { JsonMember } from '../json/scan.ts'
import { isRaw } from '../usage/usage.ts'
import { readFrameMembers, parseFrameValue } from './frames.ts'
import type { FrameMember } from './frames.ts'
import { NO_LOAD } from './rules.ts'
import type { ClientFrame, Protocol, VendorEvent, CloseCause } from './rules.ts'

/** Base64 characters a token of speech: 32 tokens a second at 8 kHz heard (never too few), 25 at 24 kHz spoken. */
const INPUT_CHARS_PER_TOKEN = 650
const OUTPUT_CHARS_PER_TOKEN = 2_560
/** A frame of video or a picture at any resolution. */
const PICTURE_TOKENS = 1_120
/** Samples a second of 16-bit PCM as it usually comes, and where a client says another. */
const USUAL_RATE = 16_000
const RATE = /rate=(\d{4,6})/
const INLINE = Buffer.from('"inlineData"')
const TURN = Buffer.from('"modelTurn"')
const OUTPUT_TRANSCRIPTION = Buffer.from('"outputTranscription"')
const COMPLETE = Buffer.from('"turnComplete"')

/**
 * Gemini Live: every `usageMetadata` is a generation that is billed, its prompt the whole session; it ends what the model began
 * to say, or to ask of a tool. https://ai.google.dev/gemini-api/docs/live-api/best-practices
 */
export function createLiveProtocol(cap: number | undefined): Protocol {
  let count = 0
  let current: string | undefined
  /** The turn is complete, and its figures have not come. */
  let waits = false

  const begin = (told: VendorEvent[]): string => {
    if (current !== undefined && waits) told.push({ kind: 'end', id: current, raw: undefined, isFailed: false, isAside: false })
    if (current === undefined || waits) {
      current = `turn_${++count}`
      waits = false
      told.push({ kind: 'begin', id: current })
    }
    return current
  }

  return {
    dialect: 'gemini-live',
    usageOf: parseLiveUsage,
    cap: () => cap,
    apart: () => undefined,
    // Its output limit is its own, and short.
    limit: undefined,
    cancel: undefined,
    heard: readClientFrame,
    told(frame): readonly VendorEvent[] {
      const pieces = readFrameMembers(frame)
      if (pieces === undefined) return []
      const told: VendorEvent[] = []
      const content = pieces.findLast((piece) => piece.key === 'serverContent')
      const call = pieces.findLast((piece) => piece.key === 'toolCall')
      const speaks = content !== undefined && (content.value.includes(TURN) || content.value.includes(OUTPUT_TRANSCRIPTION))
      if (speaks || call !== undefined) {
        const id = begin(told)
        told.push(buildOutputEvent(id, (content ?? call)!))
      }
      const raw = pieces.some((piece) => piece.key === 'usageMetadata') ? parseFrameValue(pieces, 'usageMetadata') : undefined
      if (isRaw(raw) && parseLiveUsage(raw) !== undefined) {
        waits = false
        const id = begin(told)
        told.push({ kind: 'end', id, raw, isFailed: false, isAside: false })
        current = undefined
      } else if (current !== undefined && content?.value.includes(COMPLETE) === true) waits = true
      return told
    },
    refuse: (socket, message) => socket.close(1007, `INVALID_ARGUMENT: ${message}`.slice(0, 120)),
    goodbye: closeWithReason,
  }
}

function buildOutputEvent(id: string, said: FrameMember): VendorEvent {
  const isAudio = said.value.includes(INLINE)
  return { kind: 'more', id, isAudio, tokens: said.value.length / (isAudio ? OUTPUT_CHARS_PER_TOKEN : 4) }
}

function readClientFrame(frame: Buffer): ClientFrame {
  const pieces = readFrameMembers(frame) ?? []
  const asks = requestsResponse(frame, pieces)
  const input = pieces.findLast((piece) => piece.key === 'realtimeInput' || piece.key === 'realtime_input')
  if (input === undefined) return { load: { ...NO_LOAD, text: frame.length }, begins: true, asks }
  const { value } = input
  const [head, tail] = [value.toString('latin1', 0, 200), value.toString('latin1', Math.max(0, value.length - 200))]
  const text = asks ? value.length : 0
  if (/"(?:video|image)\//.test(head) || /"mime_?[tT]ype":\s*"(?:image|video)\//.test(tail))
    return { load: { ...NO_LOAD, text, image: PICTURE_TOKENS }, begins: true, asks }
  if (value.length <= 400 && !value.includes('audio/')) return { load: { ...NO_LOAD, text: value.length }, begins: true, asks }
  const rate = Number((RATE.exec(head) ?? RATE.exec(tail))?.[1] ?? USUAL_RATE)
  // Two bytes a sample, four characters for three bytes.
  const speech = (value.length * 3) / 4 / 2 / Math.max(rate, 8_000)
  return { load: { ...NO_LOAD, text, audio: Math.ceil(value.length / INPUT_CHARS_PER_TOKEN) }, begins: true, asks, speech }
}

/** Wanted members of all values of that name, in its two spellings. */
function findNestedMembers(frame: Buffer, pieces: readonly FrameMember[], names: readonly string[], wanted: readonly string[]): readonly JsonMember[] {
  const found: JsonMember[] = []
  for (const { key, start, end } of pieces) if (names.includes(key)) scanObject(frame, start, end, wanted, found)
  return found
}

/** A turn that is complete, text that is said as speech, the end of what was said, what a tool came to: each is answered. */
function requestsResponse(frame: Buffer, pieces: readonly FrameMember[]): boolean {
  if (pieces.some((piece) => piece.key === 'toolResponse' || piece.key === 'tool_response')) return true
  if (findNestedMembers(frame, pieces, ['realtimeInput', 'realtime_input'], ['text', 'activityEnd', 'activity_end']).length > 0) return true
  return findNestedMembers(frame, pieces, ['clientContent', 'client_content'], ['turnComplete', 'turn_complete']).some(
    ({ start, end }) => end - start !== 5 || frame.toString('latin1', start, end) !== 'false',
  )
}

/** Close code and reason, as Google says them; a reason has 123 bytes at most. */
const LIVE_CLOSE_REASONS: Readonly<Record<CloseCause, readonly [number, string]>> = {
  no_money: [1011, 'RESOURCE_EXHAUSTED: credit balance too low for another response. Add credit and connect again.'],
  limits: [1011, 'RESOURCE_EXHAUSTED: this API key has reached one of its limits. Connect again later.'],
  unavailable: [1011, 'UNAVAILABLE: the balance cannot be checked at the moment. Connect again shortly.'],
  revoked: [1008, 'UNAUTHENTICATED: the API key of this session was revoked.'],
  barred: [1008, 'PERMISSION_DENIED: this API key may not be used for this session any more.'],
  idle: [1000, 'Nothing was said for 15 minutes.'],
  longest: [1008, 'The session hit the maximum duration of 60 minutes.'],
  draining: [1001, 'UNAVAILABLE: this server is restarting. Connect again.'],
}

function closeWithReason(socket: WebSocket, why: CloseCause): void {
  socket.close(...LIVE_CLOSE_REASONS[why])
}

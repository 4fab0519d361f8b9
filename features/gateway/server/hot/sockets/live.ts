import type { WebSocket } from 'ws'
import { liveUsage } from '../dialects/realtime.ts'
import { scanObject } from '../json/scan.ts'
import type { Member } from '../json/scan.ts'
import { isRaw } from '../usage/usage.ts'
import { piecesOf, valueOf } from './frames.ts'
import type { Piece } from './frames.ts'
import { NO_LOAD } from './rules.ts'
import type { Heard, Protocol, Told, Why } from './rules.ts'

/** Base64 characters a token of speech: 32 tokens a second at 8 kHz heard (never too few), 25 at 24 kHz spoken. */
const HEARD_CHARS = 650
const SPOKEN_CHARS = 2_560
/** A frame of video or a picture at any resolution. */
const PICTURE_TOKENS = 1_120
/** Samples a second of 16-bit PCM as it usually comes, and where a client says another. */
const USUAL_RATE = 16_000
const RATE = /rate=(\d{4,6})/
const INLINE = Buffer.from('"inlineData"')
const TURN = Buffer.from('"modelTurn"')
const SAID = Buffer.from('"outputTranscription"')
const COMPLETE = Buffer.from('"turnComplete"')

/**
 * Gemini Live: every `usageMetadata` is a generation that is billed, its prompt the whole session; it ends what the model began
 * to say, or to ask of a tool. https://ai.google.dev/gemini-api/docs/live-api/best-practices
 */
export function liveProtocol(cap: number | undefined): Protocol {
  let count = 0
  let current: string | undefined
  /** The turn is complete, and its figures have not come. */
  let waits = false

  const begin = (told: Told[]): string => {
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
    usageOf: liveUsage,
    cap: () => cap,
    apart: () => undefined,
    // Its output limit is its own, and short.
    limit: undefined,
    cancel: undefined,
    heard: heardIn,
    told(frame): readonly Told[] {
      const pieces = piecesOf(frame)
      if (pieces === undefined) return []
      const told: Told[] = []
      const content = pieces.findLast((piece) => piece.key === 'serverContent')
      const call = pieces.findLast((piece) => piece.key === 'toolCall')
      const speaks = content !== undefined && (content.value.includes(TURN) || content.value.includes(SAID))
      if (speaks || call !== undefined) {
        const id = begin(told)
        told.push(moreOf(id, (content ?? call)!))
      }
      const raw = pieces.some((piece) => piece.key === 'usageMetadata') ? valueOf(pieces, 'usageMetadata') : undefined
      if (isRaw(raw) && liveUsage(raw) !== undefined) {
        waits = false
        const id = begin(told)
        told.push({ kind: 'end', id, raw, isFailed: false, isAside: false })
        current = undefined
      } else if (current !== undefined && content?.value.includes(COMPLETE) === true) waits = true
      return told
    },
    refuse: (socket, message) => socket.close(1007, `INVALID_ARGUMENT: ${message}`.slice(0, 120)),
    goodbye,
  }
}

function moreOf(id: string, said: Piece): Told {
  const isAudio = said.value.includes(INLINE)
  return { kind: 'more', id, isAudio, tokens: said.value.length / (isAudio ? SPOKEN_CHARS : 4) }
}

function heardIn(frame: Buffer): Heard {
  const pieces = piecesOf(frame) ?? []
  const asks = asksIn(frame, pieces)
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
  return { load: { ...NO_LOAD, text, audio: Math.ceil(value.length / HEARD_CHARS) }, begins: true, asks, speech }
}

/** Wanted members of all values of that name, in its two spellings. */
function within(frame: Buffer, pieces: readonly Piece[], names: readonly string[], wanted: readonly string[]): readonly Member[] {
  const found: Member[] = []
  for (const { key, start, end } of pieces) if (names.includes(key)) scanObject(frame, start, end, wanted, found)
  return found
}

/** A turn that is complete, text that is said as speech, the end of what was said, what a tool came to: each is answered. */
function asksIn(frame: Buffer, pieces: readonly Piece[]): boolean {
  if (pieces.some((piece) => piece.key === 'toolResponse' || piece.key === 'tool_response')) return true
  if (within(frame, pieces, ['realtimeInput', 'realtime_input'], ['text', 'activityEnd', 'activity_end']).length > 0) return true
  return within(frame, pieces, ['clientContent', 'client_content'], ['turnComplete', 'turn_complete']).some(
    ({ start, end }) => end - start !== 5 || frame.toString('latin1', start, end) !== 'false',
  )
}

/** Close code and reason, as Google says them; a reason has 123 bytes at most. */
const WORDS: Readonly<Record<Why, readonly [number, string]>> = {
  no_money: [1011, 'RESOURCE_EXHAUSTED: credit balance too low for another response. Add credit and connect again.'],
  limits: [1011, 'RESOURCE_EXHAUSTED: this API key has reached one of its limits. Connect again later.'],
  unavailable: [1011, 'UNAVAILABLE: the balance cannot be checked at the moment. Connect again shortly.'],
  revoked: [1008, 'UNAUTHENTICATED: the API key of this session was revoked.'],
  barred: [1008, 'PERMISSION_DENIED: this API key may not be used for this session any more.'],
  idle: [1000, 'Nothing was said for 15 minutes.'],
  longest: [1008, 'The session hit the maximum duration of 60 minutes.'],
  draining: [1001, 'UNAVAILABLE: this server is restarting. Connect again.'],
}

function goodbye(socket: WebSocket, why: Why): void {
  socket.close(...WORDS[why])
}

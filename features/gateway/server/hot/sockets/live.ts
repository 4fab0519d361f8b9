import type { WebSocket } from 'ws'
import { liveUsage } from '../dialects/realtime.ts'
import { isRaw } from '../settlement/usage.ts'
import { piecesOf, valueOf } from './frames.ts'
import type { Piece } from './frames.ts'
import { NO_LOAD } from './rules.ts'
import type { Heard, Load, Protocol, Told, Why } from './rules.ts'

/** Base64 characters a token of speech: 32 tokens a second at 8 kHz heard (never too few), 25 at 24 kHz spoken. */
const HEARD_CHARS = 650
const SPOKEN_CHARS = 2_560
/** A frame of video or a picture at any resolution. */
const PICTURE_TOKENS = 1_120
const ASKS = /"turn_?[cC]omplete"\s*:\s*true|"(?:activity_?[eE]nd|tool_?[rR]esponse)"/
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
    heard: (frame): Heard => ({
      load: loadOf(frame),
      begins: true,
      asks: ASKS.test(frame.toString('latin1', 0, 200) + frame.toString('latin1', Math.max(200, frame.length - 200))),
    }),
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
    goodbye,
  }
}

function moreOf(id: string, said: Piece): Told {
  const isAudio = said.value.includes(INLINE)
  return { kind: 'more', id, isAudio, tokens: said.value.length / (isAudio ? SPOKEN_CHARS : 4) }
}

function loadOf(frame: Buffer): Load {
  const pieces = piecesOf(frame)
  const input = pieces?.findLast((piece) => piece.key === 'realtimeInput')
  if (input === undefined) return { ...NO_LOAD, text: frame.length }
  const value = input.value.toString('latin1')
  if (/"(?:video|image)\//.test(value.slice(0, 200)) || /"mimeType":\s*"(?:image|video)\//.test(value.slice(-200))) return { ...NO_LOAD, image: PICTURE_TOKENS }
  if (value.length > 400 || value.includes('audio/')) return { ...NO_LOAD, audio: Math.ceil(value.length / HEARD_CHARS) }
  return { ...NO_LOAD, text: value.length }
}

/** Close code and reason, as Google says them; a reason has 123 bytes at most. */
const WORDS: Readonly<Record<Why, readonly [number, string]>> = {
  no_money: [1011, 'RESOURCE_EXHAUSTED: credit balance too low for another response. Add credit and connect again.'],
  limits: [1011, 'RESOURCE_EXHAUSTED: this API key has reached one of its limits. Connect again later.'],
  unavailable: [1011, 'UNAVAILABLE: the balance cannot be checked at the moment. Connect again shortly.'],
  revoked: [1008, 'UNAUTHENTICATED: the API key of this session was revoked.'],
  idle: [1000, 'Nothing was said for 15 minutes.'],
  longest: [1008, 'The session hit the maximum duration of 60 minutes.'],
  draining: [1001, 'UNAVAILABLE: this server is restarting. Connect again.'],
}

function goodbye(socket: WebSocket, why: Why): void {
  socket.close(...WORDS[why])
}

import { measureAudioSeconds } from '../../media/audio-length.ts'
import { readFieldCount, findRequestField, readFieldText } from '../../media/fields.ts'
import type { RequestFields } from '../../media/fields.ts'
import { NO_MEDIA } from '../../media/media.ts'
import type { MeasuredUsage, Media, MediaRules } from '../../media/media.ts'
import { AUDIO_USAGE } from '../../terms/openai-media.ts'
import { findUnknownNumber } from '../../terms/unknown-usage.ts'
import { NO_USAGE, readTokenCount, isSaneUsage } from '../../usage/usage.ts'
import type { Raw, Usage } from '../../usage/usage.ts'
import type { DialectRules, StreamMeter, EventVerdict } from '../dialect.ts'
import { readMediaFacts } from './media.ts'
import type { MediaRequest } from './media.ts'
import { KEEPALIVE, buildOpenaiCutEvent, endsWithDone, readEventType } from './sse.ts'
import { parseEventObject, isErrorEvent } from '../sse.ts'
import type { FieldProblem } from '../../problem.ts'

/** The vendor refuses longer input, and refused input costs nothing. */
const MAX_CHARACTERS = 4_096
/** $0.015 a minute at $12 per million tokens, by the vendor's own estimate. */
const TOKENS_PER_SECOND = 1_250 / 60
/**
 * Slow speech, with pauses: per letter; and per character spoken as a syllable or a word: syllabic and logographic scripts, digits, signs,
 * capitals.
 */
const SECONDS_PER_LETTER = 0.2
const SECONDS_PER_SYLLABLE = 0.8
const LETTER = /[\p{Ll}\p{Lo}\p{M}\s.,;:!?'"()-]/u
const PAUSE_SECONDS = 5
/** Raw samples: 24 kHz, 16 bits, one channel. */
const PCM_BYTES_PER_SECOND = 48_000

function readSpeechMedia(fields: RequestFields): Media | FieldProblem {
  const input = findRequestField(fields, 'input')
  if (input === undefined) return { field: 'input', message: 'You must provide an `input` parameter.' }
  const text = readFieldText(fields, 'input', MAX_CHARACTERS * 16)
  if (text === undefined) return { field: 'input', message: `\`input\` must be a string of at most ${MAX_CHARACTERS} characters.` }
  const events = readFieldText(fields, 'stream_format', 20) === 'sse'
  const speed = Math.min(1, Math.max(0.25, readSpeed(fields)))
  let characters = 0
  let syllables = 0
  for (const one of text) {
    characters++
    if (!LETTER.test(one) || one.codePointAt(0)! > 0x2e7f) syllables++
  }
  if (characters > MAX_CHARACTERS)
    return { field: 'input', message: `\`input\` must be a string of at most ${MAX_CHARACTERS} characters; it has ${characters}.` }
  return {
    ...NO_MEDIA,
    answer: events ? 'events' : 'audio',
    characters,
    textTokens: Buffer.byteLength(text) + Buffer.byteLength(readFieldText(fields, 'instructions', 20_000) ?? '') + 20,
    mostSpoken: Math.ceil(PAUSE_SECONDS + (syllables * SECONDS_PER_SYLLABLE + (characters - syllables) * SECONDS_PER_LETTER) / speed),
    format: readFieldText(fields, 'response_format', 20) ?? 'mp3',
  }
}

/** Fractions matter here, so `countOf` does not fit. */
function readSpeed(fields: RequestFields): number {
  const at = findRequestField(fields, 'speed')
  const value = at === undefined || readFieldCount(fields, 'speed') === undefined ? 1 : Number(fields.body.toString('latin1', at.start, at.end))
  return Number.isFinite(value) ? value : 1
}

function parseSpeechUsage(raw: Raw): Usage | undefined {
  // As named in a vendor's bill; answers never report it.
  const characters = readTokenCount(raw, 'characters')
  if (characters !== undefined) return Number.isNaN(characters) ? undefined : { ...NO_USAGE, characters }
  const input = readTokenCount(raw, 'input_tokens')
  const audioOutput = readTokenCount(raw, 'output_tokens')
  const total = readTokenCount(raw, 'total_tokens')
  if (input === undefined || audioOutput === undefined) return undefined
  const usage: Usage = {
    ...NO_USAGE,
    input,
    audioOutput,
    mismatch: total !== undefined && total !== input + audioOutput,
    unknown: findUnknownNumber(raw, AUDIO_USAGE),
  }
  return isSaneUsage(usage) ? usage : undefined
}

const media: MediaRules = {
  most: (asked, model) =>
    model.prices.characters === undefined
      ? { ...NO_USAGE, input: asked.textTokens, audioOutput: Math.ceil(asked.mostSpoken * TOKENS_PER_SECOND) }
      : { ...NO_USAGE, characters: asked.characters },
  measure: (asked, model, usage, answer): MeasuredUsage => {
    if (model.prices.characters !== undefined) return { usage: { ...NO_USAGE, characters: asked.characters }, provenance: 'counted' }
    if (usage !== undefined) return { usage, provenance: 'upstream' }
    const spoken =
      answer === undefined ? undefined : asked.format === 'pcm' ? answer.total / PCM_BYTES_PER_SECOND : measureAudioSeconds(answer.bytes, answer.total)
    return {
      usage: { ...NO_USAGE, input: Math.ceil(asked.textTokens / 4), audioOutput: Math.ceil((spoken ?? asked.mostSpoken / 2) * TOKENS_PER_SECOND) },
      provenance: 'estimated',
    }
  },
}

function onEvent(event: Buffer, _strip: boolean, meter: StreamMeter): EventVerdict {
  if (endsWithDone(event)) {
    meter.ended = true
    return 'end'
  }
  if (isErrorEvent(event)) {
    meter.failed = true
    meter.ended = true
    return 'end'
  }
  if (readEventType(event) !== 'speech.audio.done') return 'pass'
  meter.raw = parseEventObject(event, 'usage') ?? meter.raw
  meter.final = true
  return 'hold'
}

const request: MediaRequest = {
  wanted: ['model', 'input', 'instructions', 'response_format', 'speed', 'stream_format'],
  takesForms: false,
  once: [],
  media: readSpeechMedia,
}

/** Sound as bytes, or as events with usage at their end. https://platform.openai.com/docs/api-reference/audio/createSpeech */
export const openaiSpeechDialect: DialectRules = {
  id: 'openai-speech',
  surface: 'openai',
  endpoint: '/v1/audio/speech',
  upstreamPath: () => '/v1/audio/speech',
  readFacts: (body, _model, _method, contentType = '') => readMediaFacts(request, body, contentType),
  usageKey: 'usage',
  usageOf: parseSpeechUsage,
  media,
  stream: {
    matters: () => true,
    onEvent,
    tally: (event, into) => {
      if (readEventType(event) === 'speech.audio.done') into.finished = true
    },
    rawUsage: (meter) => meter.raw,
    keepalive: KEEPALIVE,
    cut: buildOpenaiCutEvent,
  },
}

import { addText } from '../../usage/estimate.ts'
import { audioSeconds, walkAudio } from '../../media/audio-length.ts'
import { filesOf, readFields, textOf } from '../../media/fields.ts'
import type { Fields } from '../../media/fields.ts'
import type { Walk } from '../../media/steps.ts'
import { NO_MEDIA } from '../../media/media.ts'
import type { Measured, Media, MediaRules } from '../../media/media.ts'
import { memberOf, parseRange } from '../../json/scan.ts'
import { AUDIO_USAGE } from '../../terms/openai-media.ts'
import { unknownNumber } from '../../terms/unknown-usage.ts'
import { NO_USAGE, count, part, sane, take } from '../../usage/usage.ts'
import type { Raw, Usage } from '../../usage/usage.ts'
import type { DialectRules, Meter, Verdict } from '../dialect.ts'
import { readMediaFacts } from './media.ts'
import type { MediaRequest } from './media.ts'
import { KEEPALIVE, cutEvent, endsWithDone, eventType } from './sse.ts'
import { eventJson, eventObject, isErrorEvent } from '../sse.ts'
import { isProblem } from '../../problem.ts'
import type { FieldProblem } from '../../problem.ts'

/**
 * Lowest bitrate assumed for a file of unknown length: speech is rarely encoded below 8 kbit/s. Determines the hold, and the bill if
 * the vendor reports no length either.
 */
const FEWEST_BYTES_A_SECOND = 1_000
/** Audio in is 10 tokens a second; text out of fast speech some 5. Held with room to spare. */
const AUDIO_TOKENS_A_SECOND = 10
const TEXT_TOKENS_A_SECOND = 5
const ROOM = 2
const LEAST_OUTPUT = 400

/** Lengths of recordings walked with pauses, by body; undefined inside if the recording does not specify one. */
const walked = new WeakMap<Buffer, { readonly seconds: number | undefined }>()

/** The recording, unless the form is refused anyway. */
function recordingIn(fields: Fields): Buffer | undefined {
  const file = filesOf(fields, 'file').at(-1)
  return file?.key === 'file' ? fields.body.subarray(file.start, file.end) : undefined
}

/** A recording of 25 MB takes up to 30 ms. */
function* walkRecording(body: Buffer, contentType: string): Walk<void> {
  const fields = readFields(body, contentType, [], true)
  const audio = isProblem(fields) ? undefined : recordingIn(fields)
  if (audio !== undefined) walked.set(body, { seconds: yield* walkAudio(audio, audio.length) })
}

function audioMedia(fields: Fields, stream: boolean): Media | FieldProblem {
  if (!fields.isForm) return { field: 'file', message: 'Audio is sent as a file in a form (multipart/form-data).' }
  const audio = recordingIn(fields)
  if (audio === undefined) return { field: 'file', message: 'You must provide a `file` parameter with a file name.' }
  if (audio.length === 0) return { field: 'file', message: '`file` is empty.' }
  const { seconds } = walked.get(fields.body) ?? { seconds: audioSeconds(audio, audio.length) }
  const format = textOf(fields, 'response_format', 20) ?? 'json'
  return {
    ...NO_MEDIA,
    isForm: true,
    answer: stream ? 'events' : format === 'text' || format === 'srt' || format === 'vtt' ? 'text' : 'json',
    textTokens: Buffer.byteLength(textOf(fields, 'prompt', 100_000) ?? '') + 50,
    seconds: seconds === undefined ? undefined : Math.ceil(seconds),
    mostSeconds: Math.ceil(seconds ?? audio.length / FEWEST_BYTES_A_SECOND) + 1,
    mostSpoken: Math.ceil(seconds ?? audio.length / FEWEST_BYTES_A_SECOND),
  }
}

/** Tokens, or seconds: by `type`, and by what is there. Begun seconds count. */
function audioUsage(raw: Raw): Usage | undefined {
  if (raw['type'] === 'duration' || (raw['input_tokens'] === undefined && raw['seconds'] !== undefined)) {
    const given = raw['seconds']
    const seconds = typeof given === 'number' && given >= 0 && given < 1e6 ? Math.ceil(given) : undefined
    return seconds === undefined ? undefined : { ...NO_USAGE, seconds }
  }
  const input = count(raw, 'input_tokens')
  const output = count(raw, 'output_tokens')
  const total = count(raw, 'total_tokens')
  if (input === undefined || output === undefined) return undefined
  const audioInput = take(input, count(part(raw, 'input_token_details'), 'audio_tokens') ?? 0)
  const usage: Usage = {
    ...NO_USAGE,
    input: input - audioInput,
    audioInput,
    output,
    mismatch: total !== undefined && total !== input + output,
    unknown: unknownNumber(raw, AUDIO_USAGE),
  }
  return sane(usage) ? usage : undefined
}

/** A verbose answer without usage names the length of what it heard. */
function lengthIn(answer: Buffer): Usage | undefined {
  const at = memberOf(answer, 0, answer.length, 'duration')
  return at === undefined ? undefined : audioUsage({ type: 'duration', seconds: parseRange(answer, at) })
}

const media: MediaRules = {
  most: (asked, model) =>
    model.prices.seconds === undefined
      ? {
          ...NO_USAGE,
          input: asked.textTokens,
          audioInput: asked.mostSeconds * AUDIO_TOKENS_A_SECOND * ROOM,
          output: LEAST_OUTPUT + asked.mostSeconds * TEXT_TOKENS_A_SECOND * ROOM,
        }
      : { ...NO_USAGE, seconds: asked.mostSeconds },
  measure: (asked, model, given, answer): Measured => {
    const usage = given ?? (answer === undefined || asked.answer !== 'json' ? undefined : lengthIn(answer.bytes))
    // A vendor that reports tokens for a model priced by the second, or the other way round, names no figure we can bill.
    if (model.prices.seconds !== undefined) {
      if (usage !== undefined && usage.seconds > 0) return { usage, provenance: 'upstream' }
      if (usage !== undefined && usage.input + usage.audioInput + usage.output === 0) return { usage, provenance: 'upstream' }
      if (asked.seconds !== undefined) return { usage: { ...NO_USAGE, seconds: asked.seconds }, provenance: 'counted' }
      return { usage: { ...NO_USAGE, seconds: asked.mostSpoken }, provenance: 'estimated' }
    }
    if (usage !== undefined && usage.seconds === 0) return { usage, provenance: 'upstream' }
    const seconds = usage?.seconds ?? asked.mostSpoken
    return { usage: { ...NO_USAGE, audioInput: seconds * AUDIO_TOKENS_A_SECOND, output: seconds * TEXT_TOKENS_A_SECOND }, provenance: 'estimated' }
  },
}

function onEvent(event: Buffer, _strip: boolean, meter: Meter): Verdict {
  if (endsWithDone(event)) {
    meter.ended = true
    return 'end'
  }
  if (isErrorEvent(event)) {
    meter.failed = true
    meter.ended = true
    return 'end'
  }
  if (eventType(event) !== 'transcript.text.done') return 'pass'
  meter.raw = eventObject(event, 'usage') ?? meter.raw
  meter.final = true
  return 'hold'
}

const stream: NonNullable<DialectRules['stream']> = {
  matters: () => true,
  onEvent,
  tally: (event, into) => {
    const type = eventType(event)
    if (type === 'transcript.text.done') into.finished = true
    else if (type === 'transcript.text.delta') addText(into, eventJson(event)?.['delta'])
  },
  rawUsage: (meter) => meter.raw,
  keepalive: KEEPALIVE,
  cut: cutEvent,
}

function audio(id: 'openai-transcriptions' | 'openai-translations', path: string, wanted: readonly string[]): DialectRules {
  const request: MediaRequest = { wanted, takesForms: true, once: ['file', 'prompt', 'response_format', 'language'], media: audioMedia }
  return {
    id,
    surface: 'openai',
    endpoint: path,
    upstreamPath: () => path,
    walk: walkRecording,
    readFacts: (body, _model, _method, contentType = '') => readMediaFacts(request, body, contentType),
    usageKey: 'usage',
    usageOf: audioUsage,
    media,
    stream,
  }
}

/** https://platform.openai.com/docs/api-reference/audio/createTranscription */
export const openaiTranscriptions = audio('openai-transcriptions', '/v1/audio/transcriptions', ['model', 'stream'])
/** Into English; never streamed. https://platform.openai.com/docs/api-reference/audio/createTranslation */
export const openaiTranslations = audio('openai-translations', '/v1/audio/translations', ['model'])

import { addText } from '../../usage/estimate.ts'
import { measureAudioSeconds, walkAudio } from '../../media/audio-length.ts'
import { listFormFiles, readRequestFields, readFieldText } from '../../media/fields.ts'
import type { RequestFields } from '../../media/fields.ts'
import type { SteppedWalk } from '../../media/steps.ts'
import { NO_MEDIA } from '../../media/media.ts'
import type { MeasuredUsage, Media, MediaRules } from '../../media/media.ts'
import { findMember, parseRange } from '../../json/scan.ts'
import { AUDIO_USAGE } from '../../terms/openai-media.ts'
import { findUnknownNumber } from '../../terms/unknown-usage.ts'
import { NO_USAGE, readTokenCount, readObjectPart, isSaneUsage, takeAtMost } from '../../usage/usage.ts'
import type { Raw, Usage } from '../../usage/usage.ts'
import type { DialectRules, StreamMeter, EventVerdict } from '../dialect.ts'
import { readMediaFacts } from './media.ts'
import type { MediaRequest } from './media.ts'
import { KEEPALIVE, buildOpenaiCutEvent, endsWithDone, readEventType } from './sse.ts'
import { parseEventJson, parseEventObject, isErrorEvent } from '../sse.ts'
import { isProblem } from '../../problem.ts'
import type { FieldProblem } from '../../problem.ts'

/**
 * Lowest bitrate assumed for a file of unknown length: speech is rarely encoded below 8 kbit/s. Determines the hold, and the bill if
 * the vendor reports no length either.
 */
const MIN_BYTES_PER_SECOND = 1_000
/** Audio input is 10 tokens a second; text output of fast speech about 5. The hold adds a margin. */
const AUDIO_TOKENS_PER_SECOND = 10
const TEXT_TOKENS_PER_SECOND = 5
const HOLD_MARGIN = 2
const MIN_TRANSCRIPT_TOKENS = 400

/** Lengths of recordings walked with pauses, by body; the length is undefined if the recording does not specify one. */
const measuredRecordings = new WeakMap<Buffer, { readonly seconds: number | undefined }>()

/** The recording; undefined if the form is refused anyway. */
function findRecording(fields: RequestFields): Buffer | undefined {
  const file = listFormFiles(fields, 'file').at(-1)
  return file?.key === 'file' ? fields.body.subarray(file.start, file.end) : undefined
}

/** A recording of 25 MB takes up to 30 ms. */
function* walkRecording(body: Buffer, contentType: string): SteppedWalk<void> {
  const fields = readRequestFields(body, contentType, [], true)
  const audio = isProblem(fields) ? undefined : findRecording(fields)
  if (audio !== undefined) measuredRecordings.set(body, { seconds: yield* walkAudio(audio, audio.length) })
}

function readAudioMedia(fields: RequestFields, stream: boolean): Media | FieldProblem {
  if (!fields.isForm) return { field: 'file', message: 'Audio is sent as a file in a form (multipart/form-data).' }
  const audio = findRecording(fields)
  if (audio === undefined) return { field: 'file', message: 'You must provide a `file` parameter with a file name.' }
  if (audio.length === 0) return { field: 'file', message: '`file` is empty.' }
  const { seconds } = measuredRecordings.get(fields.body) ?? { seconds: measureAudioSeconds(audio, audio.length) }
  const format = readFieldText(fields, 'response_format', 20) ?? 'json'
  return {
    ...NO_MEDIA,
    isForm: true,
    answer: stream ? 'events' : format === 'text' || format === 'srt' || format === 'vtt' ? 'text' : 'json',
    textTokens: Buffer.byteLength(readFieldText(fields, 'prompt', 100_000) ?? '') + 50,
    seconds: seconds === undefined ? undefined : Math.ceil(seconds),
    mostSeconds: Math.ceil(seconds ?? audio.length / MIN_BYTES_PER_SECOND) + 1,
    mostSpoken: Math.ceil(seconds ?? audio.length / MIN_BYTES_PER_SECOND),
  }
}

/** Tokens, or seconds: chosen by `type`, and by the members present. Begun seconds count. */
function parseAudioUsage(raw: Raw): Usage | undefined {
  if (raw['type'] === 'duration' || (raw['input_tokens'] === undefined && raw['seconds'] !== undefined)) {
    const given = raw['seconds']
    const seconds = typeof given === 'number' && given >= 0 && given < 1e6 ? Math.ceil(given) : undefined
    return seconds === undefined ? undefined : { ...NO_USAGE, seconds }
  }
  const input = readTokenCount(raw, 'input_tokens')
  const output = readTokenCount(raw, 'output_tokens')
  const total = readTokenCount(raw, 'total_tokens')
  if (input === undefined || output === undefined) return undefined
  const audioInput = takeAtMost(input, readTokenCount(readObjectPart(raw, 'input_token_details'), 'audio_tokens') ?? 0)
  const usage: Usage = {
    ...NO_USAGE,
    input: input - audioInput,
    audioInput,
    output,
    mismatch: total !== undefined && total !== input + output,
    unknown: findUnknownNumber(raw, AUDIO_USAGE),
  }
  return isSaneUsage(usage) ? usage : undefined
}

/** A verbose answer without usage reports the length of its audio. */
function parseAnswerDuration(answer: Buffer): Usage | undefined {
  const at = findMember(answer, 0, answer.length, 'duration')
  return at === undefined ? undefined : parseAudioUsage({ type: 'duration', seconds: parseRange(answer, at) })
}

const media: MediaRules = {
  most: (asked, model) =>
    model.prices.seconds === undefined
      ? {
          ...NO_USAGE,
          input: asked.textTokens,
          audioInput: asked.mostSeconds * AUDIO_TOKENS_PER_SECOND * HOLD_MARGIN,
          output: MIN_TRANSCRIPT_TOKENS + asked.mostSeconds * TEXT_TOKENS_PER_SECOND * HOLD_MARGIN,
        }
      : { ...NO_USAGE, seconds: asked.mostSeconds },
  measure: (asked, model, given, answer): MeasuredUsage => {
    const usage = given ?? (answer === undefined || asked.answer !== 'json' ? undefined : parseAnswerDuration(answer.bytes))
    // A vendor that reports tokens for a model priced by the second, or vice versa, reports no billable figure.
    if (model.prices.seconds !== undefined) {
      if (usage !== undefined && usage.seconds > 0) return { usage, provenance: 'upstream' }
      if (usage !== undefined && usage.input + usage.audioInput + usage.output === 0) return { usage, provenance: 'upstream' }
      if (asked.seconds !== undefined) return { usage: { ...NO_USAGE, seconds: asked.seconds }, provenance: 'counted' }
      return { usage: { ...NO_USAGE, seconds: asked.mostSpoken }, provenance: 'estimated' }
    }
    if (usage !== undefined && usage.seconds === 0) return { usage, provenance: 'upstream' }
    const seconds = usage?.seconds ?? asked.mostSpoken
    return { usage: { ...NO_USAGE, audioInput: seconds * AUDIO_TOKENS_PER_SECOND, output: seconds * TEXT_TOKENS_PER_SECOND }, provenance: 'estimated' }
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
  if (readEventType(event) !== 'transcript.text.done') return 'pass'
  meter.raw = parseEventObject(event, 'usage') ?? meter.raw
  meter.final = true
  return 'hold'
}

const stream: NonNullable<DialectRules['stream']> = {
  matters: () => true,
  onEvent,
  tally: (event, into) => {
    const type = readEventType(event)
    if (type === 'transcript.text.done') into.finished = true
    else if (type === 'transcript.text.delta') addText(into, parseEventJson(event)?.['delta'])
  },
  rawUsage: (meter) => meter.raw,
  keepalive: KEEPALIVE,
  cut: buildOpenaiCutEvent,
}

function createAudioDialect(id: 'openai-transcriptions' | 'openai-translations', path: string, wanted: readonly string[]): DialectRules {
  const request: MediaRequest = { wanted, takesForms: true, once: ['file', 'prompt', 'response_format', 'language'], media: readAudioMedia }
  return {
    id,
    surface: 'openai',
    endpoint: path,
    upstreamPath: () => path,
    walk: walkRecording,
    readFacts: (body, _model, _method, contentType = '') => readMediaFacts(request, body, contentType),
    usageKey: 'usage',
    usageOf: parseAudioUsage,
    media,
    stream,
  }
}

/** https://platform.openai.com/docs/api-reference/audio/createTranscription */
export const openaiTranscriptionsDialect = createAudioDialect('openai-transcriptions', '/v1/audio/transcriptions', ['model', 'stream'])
/** Translates into English; never streamed. https://platform.openai.com/docs/api-reference/audio/createTranslation */
export const openaiTranslationsDialect = createAudioDialect('openai-translations', '/v1/audio/translations', ['model'])

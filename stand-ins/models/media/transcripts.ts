import { createHash } from 'node:crypto'
import type { Counts } from '../read/ask.ts'
import type { Prepared } from '../write/prepared.ts'
import { refuse } from '../write/errors.ts'
import { str, type Json, type JsonObject } from '../read/json.ts'
import type { Knobs } from '../read/knobs.ts'
import { counted, framedReply, mediaAsk, wholeReply } from '../read/media-ask.ts'
import { EVENT_STREAM, grouped, type Frame } from '../write/reply.ts'
import { heard, soundSeconds } from './sound.ts'
import { countTokens, pieces } from '../tokens.ts'
import { reported, usageFor } from '../usage.ts'
import type { Upload } from '../visit.ts'

const TOKENS_A_SECOND = 10
const PLAIN = ['text', 'srt', 'vtt']

/** Writes down what a sound of the sandbox says; of any other sound, its name, length and a mark that depends on its bytes. */
export function prepareTranscript(
  kind: 'openai-transcriptions' | 'openai-translations',
  body: JsonObject,
  files: readonly Upload[],
  knobsOf: (text: string) => Knobs,
): Prepared {
  const model = str(body['model']) ?? refuse('you must provide a model parameter', { param: 'model' })
  const file = files.find((one) => one.field === 'file') ?? refuse("Missing required parameter: 'file'.", { param: 'file', code: 'missing_required_parameter' })
  if (!/\.(flac|mp3|mp4|mpeg|mpga|m4a|ogg|wav|webm)$/i.test(file.name))
    refuse("Invalid file format. Supported formats: ['flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'mpga', 'oga', 'ogg', 'wav', 'webm']", { param: 'file' })
  if (file.bytes.length < 64) refuse('Audio file might be corrupted or unsupported', { param: 'file', code: 'invalid_value' })
  const bySecond = model === 'whisper-1' || model === 'gpt-transcribe'
  const format = str(body['response_format']) ?? 'json'
  const known = model === 'whisper-1' ? ['json', 'verbose_json', ...PLAIN] : ['json']
  if (!known.includes(format))
    refuse(`response_format '${format}' is not compatible with model '${model}'.`, { param: 'response_format', code: 'unsupported_value' })
  const stream = kind === 'openai-transcriptions' && body['stream'] === 'true' && model !== 'whisper-1'
  const prompt = str(body['prompt']) ?? ''
  const seconds = soundSeconds(file.bytes)
  const spoken =
    heard(file.bytes) ??
    `A recording named ${file.name}, ${seconds.toFixed(1)} seconds long, mark ${createHash('sha256').update(file.bytes).digest('hex').slice(0, 8)}.`
  const text = kind === 'openai-translations' ? `In English: ${spoken}` : spoken
  const audio = Math.ceil(seconds * TOKENS_A_SECOND)
  const counts: Counts = bySecond
    ? counted({ seconds: Math.ceil(seconds) })
    : counted({ input: audio + countTokens(prompt), audioInput: audio, output: countTokens(text) })
  return {
    ask: mediaAsk(kind, model, prompt || text, stream, knobsOf(`${prompt}\n${spoken}`)),
    answers: false,
    counts,
    write: (calm) => {
      const usage = reported(counts, calm.knobs.fault)
      const told = usage ? { usage: usageFor(kind, usage) } : {}
      if (stream) {
        const event = (value: JsonObject): string => `data: ${JSON.stringify(value)}\n\n`
        const nothing = counted({})
        const frames: Frame[] = grouped(pieces(text), calm.knobs.pieces).map((piece) => ({
          data: event({ type: 'transcript.text.delta', delta: piece.text }),
          output: 0,
          reasoning: 0,
          generated: nothing,
        }))
        return framedReply(
          counts,
          [...frames, { data: event({ type: 'transcript.text.done', text, ...told }), output: 0, reasoning: 0, generated: counts, usage: true }],
          EVENT_STREAM,
        )
      }
      if (PLAIN.includes(format)) return wholeReply(counts, plain(format, text, seconds), 'text/plain; charset=utf-8')
      return wholeReply(counts, json(format, kind, text, seconds, told))
    },
  }
}

function json(format: string, kind: string, text: string, seconds: number, told: JsonObject): Json {
  if (format !== 'verbose_json') return { text, ...told }
  const segment = { id: 0, seek: 0, start: 0, end: seconds, text, tokens: [1], temperature: 0, avg_logprob: -0.2, compression_ratio: 1.1, no_speech_prob: 0.01 }
  return { task: kind === 'openai-translations' ? 'translate' : 'transcribe', language: 'english', duration: seconds, text, segments: [segment], ...told }
}

function plain(format: string, text: string, seconds: number): string {
  if (format === 'text') return `${text}\n`
  const time = (at: number, point: string): string => `${new Date(Math.round(at * 1_000)).toISOString().slice(11, 23).replace('.', point)}`
  return format === 'srt' ? `1\n${time(0, ',')} --> ${time(seconds, ',')}\n${text}\n\n` : `WEBVTT\n\n${time(0, '.')} --> ${time(seconds, '.')}\n${text}\n\n`
}

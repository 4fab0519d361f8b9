import type { Counts } from '../read/ask.ts'
import type { Prepared } from '../write/prepared.ts'
import { refuse } from '../write/errors.ts'
import { num, str, type JsonObject } from '../read/json.ts'
import { withoutMarkers, type Knobs } from '../read/knobs.ts'
import { counted, framedReply, mediaAsk } from '../read/media-ask.ts'
import { EVENT_STREAM, type Frame } from '../write/reply.ts'
import { SOUND_TYPES, secondsFor, speak, type SoundFormat } from './sound.ts'
import { countTokens } from '../tokens.ts'
import { reported, usageFor } from '../usage.ts'

const TOKENS_A_SECOND = 20
const PIECE_BYTES = 8_192

/** tts-* bill characters and name no usage; the others bill text in and sound out, and name it in events. */
export function prepareSpeech(body: JsonObject, knobsOf: (text: string) => Knobs): Prepared {
  const model = str(body['model']) ?? refuse('you must provide a model parameter', { param: 'model' })
  const input = str(body['input']) ?? refuse("Invalid type for 'input': expected a string.", { param: 'input', code: 'invalid_type' })
  if (!input || [...input].length > 4_096) refuse('String should have at most 4096 characters and at least 1.', { param: 'input', code: 'string_too_long' })
  const voice = str(body['voice']) ?? (typeof body['voice'] === 'object' ? 'custom' : refuse("Missing required parameter: 'voice'.", { param: 'voice' }))
  const format = (str(body['response_format']) ?? 'mp3') as SoundFormat
  if (!(format in SOUND_TYPES)) refuse(`The sandbox speaks wav, pcm and mp3, not '${String(format)}'.`, { param: 'response_format', code: 'invalid_value' })
  const speed = num(body['speed']) ?? 1
  if (!(speed >= 0.25 && speed <= 4)) refuse("Invalid 'speed': expected 0.25 to 4.0.", { param: 'speed', code: 'invalid_value' })
  const perCharacter = model.startsWith('tts')
  const stream = body['stream_format'] === 'sse'
  if (stream && perCharacter) refuse("'sse' is not supported for this model.", { param: 'stream_format', code: 'unsupported_value' })
  const said = withoutMarkers(input)
  const seconds = secondsFor(said, speed)
  const counts: Counts = perCharacter
    ? counted({ characters: [...input].length })
    : counted({ input: countTokens(input) + countTokens(str(body['instructions']) ?? ''), output: Math.ceil(seconds * TOKENS_A_SECOND) })
  return {
    ask: mediaAsk('openai-speech', model, input, stream, knobsOf(input)),
    answers: false,
    counts,
    write: (calm) => {
      const sound = speak(said, voice, seconds, format)
      const pieces: Buffer[] = []
      for (let at = 0; at < sound.length; at += PIECE_BYTES) pieces.push(sound.subarray(at, at + PIECE_BYTES))
      const nothing = counted({})
      if (!stream)
        return framedReply(
          counts,
          pieces.map((data, at): Frame => ({ data, output: 0, reasoning: 0, generated: at === pieces.length - 1 ? counts : nothing })),
          SOUND_TYPES[format],
        )
      const usage = reported(counts, calm.knobs.fault)
      const event = (value: JsonObject): string => `data: ${JSON.stringify(value)}\n\n`
      const frames: Frame[] = pieces.map((data) => ({
        data: event({ type: 'speech.audio.delta', audio: data.toString('base64') }),
        output: 0,
        reasoning: 0,
        generated: nothing,
      }))
      const done = { type: 'speech.audio.done', ...(usage ? { usage: usageFor('openai-speech', usage) } : {}) }
      return framedReply(counts, [...frames, { data: event(done), output: counts.output, reasoning: 0, generated: counts, usage: true }], EVENT_STREAM)
    },
  }
}

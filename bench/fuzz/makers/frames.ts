import type { Random } from '../random.ts'
import { aRun, aValue, wireBodies } from './bodies.ts'
import { counts } from './maker.ts'

/** Frames to send on one connection: texts, each split into a number of fragments. */
export interface Talk {
  readonly name: string
  readonly path: string
  readonly frames: readonly { readonly text: Buffer; readonly fragments: number }[]
}

const MOST = 12_000_000

/** Names with a value that a session reads, repeated or beside many others. */
function settings(random: Random, names: readonly string[]): string {
  const one = `"${random.pick(names)}":${random.pick(['"inf"', '5', 'null', '{}', '{"format":{"type":"audio/pcm"}}', '[]'])},`
  return random.pick([
    () => aValue(random, MOST),
    () => `{${one.repeat(counts(random, one.length, MOST))}"z":0}`,
    () => `{"${random.pick(names)}":${aValue(random, MOST)}}`,
    () => `{"${random.pick(names)}":{"${random.pick(names)}":${aValue(random, MOST)}}}`,
    () => '{}',
  ])()
}

const REALTIME = ['type', 'audio', 'input', 'format', 'transcription', 'turn_detection', 'max_output_tokens', 'tools', 'prompt', 'instructions', 'content']
function realtimeFrame(random: Random): string {
  const sound = (): string => 'A'.repeat(counts(random, 1, MOST))
  return random.pick([
    () => `{"type":"session.update","session":${settings(random, REALTIME)}}`,
    () => `{"type":"response.create","event_id":"e","response":${settings(random, REALTIME)}}`,
    () => `{"type":"conversation.item.create","item":${settings(random, REALTIME)}}`,
    () => `{"type":"input_audio_buffer.append","audio":"${sound()}"}`,
    () => `{"item":${settings(random, REALTIME)},"type":"conversation.item.create"}`,
    () => `{"a":${JSON.stringify(aRun(random, MOST / 4))},"type":"input_\\u0061udio_buffer.append","type":"session.update"}`,
    () => `{"type":"input_audio_buffer.append","audio":"A"${`,"typ":1`.repeat(counts(random, 8, MOST))}}`,
  ])()
}

const LIVE = [
  'text',
  'turns',
  'turnComplete',
  'turn_complete',
  'activityEnd',
  'audio',
  'video',
  'mediaChunks',
  'functionResponses',
  'parts',
  'generationConfig',
  'tools',
]
function liveFrame(random: Random): string {
  const of = (name: string): string => `{"${name}":${settings(random, LIVE)}}`
  const name = random.pick(['clientContent', 'client_content', 'realtimeInput', 'realtime_input', 'toolResponse', 'setup'])
  const again = `"${name}":{"turnComplete":false},`
  return random.pick([
    () => of(name),
    () => `{${again.repeat(counts(random, again.length, MOST))}"z":0}`,
    () => `{"realtimeInput":{"audio":{"mimeType":"audio/pcm;rate=16000","data":"${'A'.repeat(counts(random, 1, MOST))}"}}}`,
  ])()
}

const framed = (random: Random, text: string): Talk['frames'][number] => ({ text: Buffer.from(text), fragments: random.pick([1, 1, 1, 7, 4_000]) })

export const talks: readonly ((random: Random) => Talk)[] = [
  (random) => ({
    name: 'realtime',
    path: '/v1/realtime?model=gpt-realtime-2.1',
    frames: Array.from({ length: random.pick([1, 1, 3]) }, () => framed(random, realtimeFrame(random))),
  }),
  (random) => ({
    name: 'live',
    path: '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
    frames: [
      framed(
        random,
        random.once(3)
          ? `{"setup":{"model":"models/gemini-2.5-flash-native-audio-preview-12-2025","x":${settings(random, LIVE)}}}`
          : '{"setup":{"model":"models/gemini-2.5-flash-native-audio-preview-12-2025"}}',
      ),
      ...Array.from({ length: random.pick([0, 1, 3]) }, () => framed(random, liveFrame(random))),
    ],
  }),
  (random) => ({
    name: 'responses',
    path: '/v1/responses',
    frames: Array.from({ length: random.pick([1, 1, 3]) }, () => {
      const body = wireBodies[1]!.make(random).toString()
      const before = random.pick([
        '"type":"response.create"',
        '"type":"response.steer"',
        '"stream_id":"a","type":"response.create"',
        '"generate":false,"type":"response.create"',
      ])
      const more = random.pick(['', `"background":${aValue(random, MOST)},`, `"store":${aValue(random, MOST)},`, `"stream_id":${aValue(random, MOST)},`])
      return framed(random, `{${before},${more}${body.slice(1)}`)
    }),
  }),
]

import type { FuzzRandom } from '../random.ts'
import { buildRun, buildHostileValue, wireBodies } from './bodies.ts'
import { drawRepeatCount } from './maker.ts'

/** Frames to send on one connection: texts, each split into a number of fragments. */
export interface SocketTalk {
  readonly name: string
  readonly path: string
  readonly frames: readonly { readonly text: Buffer; readonly fragments: number }[]
}

const MAX_FRAME_BYTES = 12_000_000

/** Settings that a session reads, repeated or among many others. */
function settings(random: FuzzRandom, names: readonly string[]): string {
  const one = `"${random.pick(names)}":${random.pick(['"inf"', '5', 'null', '{}', '{"format":{"type":"audio/pcm"}}', '[]'])},`
  return random.pick([
    () => buildHostileValue(random, MAX_FRAME_BYTES),
    () => `{${one.repeat(drawRepeatCount(random, one.length, MAX_FRAME_BYTES))}"z":0}`,
    () => `{"${random.pick(names)}":${buildHostileValue(random, MAX_FRAME_BYTES)}}`,
    () => `{"${random.pick(names)}":{"${random.pick(names)}":${buildHostileValue(random, MAX_FRAME_BYTES)}}}`,
    () => '{}',
  ])()
}

const REALTIME = ['type', 'audio', 'input', 'format', 'transcription', 'turn_detection', 'max_output_tokens', 'tools', 'prompt', 'instructions', 'content']
function buildRealtimeFrame(random: FuzzRandom): string {
  const sound = (): string => 'A'.repeat(drawRepeatCount(random, 1, MAX_FRAME_BYTES))
  return random.pick([
    () => `{"type":"session.update","session":${settings(random, REALTIME)}}`,
    () => `{"type":"response.create","event_id":"e","response":${settings(random, REALTIME)}}`,
    () => `{"type":"conversation.item.create","item":${settings(random, REALTIME)}}`,
    () => `{"type":"input_audio_buffer.append","audio":"${sound()}"}`,
    () => `{"item":${settings(random, REALTIME)},"type":"conversation.item.create"}`,
    () => `{"a":${JSON.stringify(buildRun(random, MAX_FRAME_BYTES / 4))},"type":"input_\\u0061udio_buffer.append","type":"session.update"}`,
    () => `{"type":"input_audio_buffer.append","audio":"A"${`,"typ":1`.repeat(drawRepeatCount(random, 8, MAX_FRAME_BYTES))}}`,
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
function buildLiveFrame(random: FuzzRandom): string {
  const of = (name: string): string => `{"${name}":${settings(random, LIVE)}}`
  const name = random.pick(['clientContent', 'client_content', 'realtimeInput', 'realtime_input', 'toolResponse', 'setup'])
  const again = `"${name}":{"turnComplete":false},`
  return random.pick([
    () => of(name),
    () => `{${again.repeat(drawRepeatCount(random, again.length, MAX_FRAME_BYTES))}"z":0}`,
    () => `{"realtimeInput":{"audio":{"mimeType":"audio/pcm;rate=16000","data":"${'A'.repeat(drawRepeatCount(random, 1, MAX_FRAME_BYTES))}"}}}`,
  ])()
}

const toFrame = (random: FuzzRandom, text: string): SocketTalk['frames'][number] => ({ text: Buffer.from(text), fragments: random.pick([1, 1, 1, 7, 4_000]) })

export const talkMakers: readonly ((random: FuzzRandom) => SocketTalk)[] = [
  (random) => ({
    name: 'realtime',
    path: '/v1/realtime?model=gpt-realtime-2.1',
    frames: Array.from({ length: random.pick([1, 1, 3]) }, () => toFrame(random, buildRealtimeFrame(random))),
  }),
  (random) => ({
    name: 'live',
    path: '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
    frames: [
      toFrame(
        random,
        random.once(3)
          ? `{"setup":{"model":"models/gemini-2.5-flash-native-audio-preview-12-2025","x":${settings(random, LIVE)}}}`
          : '{"setup":{"model":"models/gemini-2.5-flash-native-audio-preview-12-2025"}}',
      ),
      ...Array.from({ length: random.pick([0, 1, 3]) }, () => toFrame(random, buildLiveFrame(random))),
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
      const more = random.pick([
        '',
        `"background":${buildHostileValue(random, MAX_FRAME_BYTES)},`,
        `"store":${buildHostileValue(random, MAX_FRAME_BYTES)},`,
        `"stream_id":${buildHostileValue(random, MAX_FRAME_BYTES)},`,
      ])
      return toFrame(random, `{${before},${more}${body.slice(1)}`)
    }),
  }),
]

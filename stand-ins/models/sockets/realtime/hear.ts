import { NOTHING } from '../../read/ask.ts'
import { isObject, type JsonObject } from '../../read/json.ts'
import { countTokens } from '../../tokens.ts'
import { isSilent } from '../sound.ts'
import { respond } from './respond.ts'
import { RATE, addItem, book, id, inputOf, sendRealtime } from './state.ts'
import type { RealtimeState } from './state.ts'

const HEARD_MS = 100
const ASR_WORDS = 'somebody said something'

/** Sound: silence after speech is the end of a turn, unless the client says when. */
export function hearRealtime(s: RealtimeState, base64: string): void {
  const pcm = Buffer.from(base64, 'base64')
  const detection = inputOf(s)['turn_detection']
  if (!isObject(detection)) {
    s.buffered += pcm.length
    return
  }
  const silent = isSilent(pcm)
  if (!silent && !s.speaking) {
    s.speaking = true
    sendRealtime(s, 'input_audio_buffer.speech_started', { audio_start_ms: 0, item_id: id('item') })
    if (s.active !== undefined && detection['interrupt_response'] !== false) s.active.cancelled = true
  }
  if (s.speaking) s.buffered += pcm.length
  if (!silent || !s.speaking) return
  s.speaking = false
  sendRealtime(s, 'input_audio_buffer.speech_stopped', { audio_end_ms: 0, item_id: id('item') })
  commit(s)
  if (detection['create_response'] !== false) void respond(s, {})
}

/** Turns the buffered speech into an item, transcribed if the session requests it. */
export function commit(s: RealtimeState): void {
  const audio = Math.max(1, Math.ceil(s.buffered / 2 / (RATE / 1000) / HEARD_MS))
  s.buffered = 0
  const item = id('item')
  sendRealtime(s, 'input_audio_buffer.committed', { item_id: item, previous_item_id: null })
  addItem(s, { id: item, type: 'message', role: 'user', content: [{ type: 'input_audio', transcript: null }] }, 2, audio)
  const transcription = inputOf(s)['transcription']
  if (isObject(transcription)) transcribe(s, item, audio, transcription)
}

function transcribe(s: RealtimeState, item: string, audio: number, transcription: JsonObject): void {
  const output = countTokens(ASR_WORDS)
  const usage = {
    type: 'tokens',
    input_tokens: audio,
    input_token_details: { text_tokens: 0, audio_tokens: audio },
    output_tokens: output,
    total_tokens: audio + output,
  }
  const requestId = id('asr')
  const counts = { ...NOTHING, input: audio, output }
  book(s, requestId, { number: `a${++s.transcribed}`, model: String(transcription['model']), fault: undefined })
  s.at.book.end(requestId, { status: 'finished', httpStatus: 200, generated: counts, billed: counts, usage })
  sendRealtime(s, 'conversation.item.input_audio_transcription.completed', { item_id: item, content_index: 0, transcript: ASR_WORDS, usage })
}

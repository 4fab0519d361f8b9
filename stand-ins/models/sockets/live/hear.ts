import { toList, obj, type JsonObject } from '../../read/json.ts'
import { countTokens } from '../../tokens.ts'
import { isSilent } from '../sound.ts'
import { generate } from './generate.ts'
import { TOKENS_A_SECOND, sendLive } from './state.ts'
import type { LiveState } from './state.ts'

const HEARD_RATE = 16_000

/** Text, pictures and sound as they come; silence after speech is the end of a turn. */
export function hearLive(s: LiveState, input: JsonObject): void {
  if (typeof input['text'] === 'string') {
    s.sums.text += countTokens(input['text'])
    return void generate(s, input['text'])
  }
  const chunks = [obj(input['audio']), obj(input['video']), ...toList(input['mediaChunks']).map(obj)]
  for (const chunk of chunks) {
    const mime = String(chunk['mimeType'] ?? '')
    if (mime.startsWith('image/')) s.sums.image += TOKENS_A_SECOND.picture
    if (mime.startsWith('audio/')) hearSound(s, Buffer.from(String(chunk['data'] ?? ''), 'base64'))
  }
  if (input['audioStreamEnd'] === true && s.speaking) endOfSpeech(s)
}

function hearSound(s: LiveState, pcm: Buffer): void {
  const silent = isSilent(pcm)
  if (!silent) s.speaking = true
  if (s.speaking) s.buffered += pcm.length
  if (silent && s.speaking) endOfSpeech(s)
}

function endOfSpeech(s: LiveState): void {
  s.speaking = false
  s.sums.audio += Math.max(1, Math.ceil((s.buffered / 2 / HEARD_RATE) * TOKENS_A_SECOND.heard))
  s.buffered = 0
  if (s.setup['inputAudioTranscription'] !== undefined) sendLive(s, { serverContent: { inputTranscription: { text: 'somebody said something' } } })
  void generate(s, '')
}

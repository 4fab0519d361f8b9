import type { JsonObject } from '../../read/json.ts'
import { countTokens } from '../../tokens.ts'
import type { RealtimeState } from './state.ts'

/** A response's own figures; what the prompt before it had is cached. */
export function toRealtimeUsage(s: RealtimeState, output: { readonly text: number; readonly audio: number }): JsonObject {
  const { session } = s
  const text = 3 + countTokens(String(session['instructions'] ?? '')) + countTokens(JSON.stringify(session['tools'] ?? [])) + sumOf(s, 'text')
  const audio = sumOf(s, 'audio')
  const kept = { text: Math.min(s.cached.text, text), audio: Math.min(s.cached.audio, audio) }
  s.cached = { text: floor64(text), audio: floor64(audio) }
  return {
    total_tokens: text + audio + output.text + output.audio,
    input_tokens: text + audio,
    output_tokens: output.text + output.audio,
    input_token_details: {
      text_tokens: text,
      audio_tokens: audio,
      image_tokens: 0,
      cached_tokens: kept.text + kept.audio,
      cached_tokens_details: { text_tokens: kept.text, audio_tokens: kept.audio, image_tokens: 0 },
    },
    output_token_details: { text_tokens: output.text, audio_tokens: output.audio },
  }
}

const floor64 = (count: number) => count - (count % 64)
const sumOf = ({ items }: RealtimeState, what: 'text' | 'audio') => items.reduce((sum, item) => sum + item[what], 0)

import type { JsonObject } from '../../read/json.ts'
import type { LiveState } from './state.ts'

export function toLiveUsage({ sums }: LiveState, output: { readonly text: number; readonly audio: number }, thoughts: number): JsonObject {
  const prompt = sums.text + sums.audio + sums.image
  const response = output.text + output.audio
  return {
    promptTokenCount: prompt,
    responseTokenCount: response,
    totalTokenCount: prompt + response,
    promptTokensDetails: details({ TEXT: sums.text, AUDIO: sums.audio, VIDEO: sums.image }),
    responseTokensDetails: details({ TEXT: output.text, AUDIO: output.audio }),
    ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
  }
}

const details = (counts: Readonly<Record<string, number>>): JsonObject[] =>
  Object.entries(counts)
    .filter(([, tokenCount]) => tokenCount > 0)
    .map(([modality, tokenCount]) => ({ modality, tokenCount }))

import { maxNano, sumNano, computeTokenCost } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { GatewayModel } from '../../deps.ts'
import { selectPriceTier } from '../../settlement/pricing.ts'
import type { Usage } from '../../usage/usage.ts'
import type { TokenLoad } from '../rules.ts'

/** Maximum cost of a response to this load: its input by class, and `cap` tokens of the more expensive output class. */
export function computeResponseCost(model: GatewayModel, load: TokenLoad, cap: number): Nano {
  const most = model.contextTokens ?? Infinity
  // A session holds at most its window; count the most expensive classes first.
  const audio = Math.min(load.audio, most)
  const image = Math.min(load.image, most - audio)
  const text = Math.min(load.text, most - audio - image)
  const tier = selectPriceTier(model.prices, text + audio + image)
  return sumNano([
    computeTokenCost(text, tier.input),
    computeTokenCost(audio, tier.audioInput ?? tier.input),
    computeTokenCost(image, tier.imageInput ?? tier.input),
    computeOutputCost(model, cap),
  ])
}

export function computeOutputCost(model: GatewayModel, cap: number): Nano {
  return computeTokenCost(cap, maxNano(model.prices.audioOutput ?? 0n, model.prices.output))
}

/** Ten tokens of speech are one second. */
export const SPEECH_TOKENS_PER_SECOND = 10

/** Transcription costs the time, or the audio and at most as many tokens of text. */
export function computeTranscriptionCost(model: GatewayModel, audio: number): Nano {
  if (model.prices.seconds !== undefined) return computeTokenCost(Math.ceil(audio / SPEECH_TOKENS_PER_SECOND) + 1, model.prices.seconds)
  return sumNano([computeTokenCost(audio, model.prices.audioInput ?? model.prices.input), computeTokenCost(audio, model.prices.output)])
}

/** Load of the session after a response, all of which is input of the next one. */
export function computeLoadAfter(usage: Usage): TokenLoad {
  return {
    text: usage.input + usage.cachedInput + usage.cacheWrite5m + usage.cacheWrite1h + usage.output,
    audio: usage.audioInput + usage.cachedAudio + usage.audioOutput,
    image: usage.imageInput + usage.cachedImage,
  }
}

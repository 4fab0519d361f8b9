import { atLeast, sum, tokenCost } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Model } from '../../deps.ts'
import { tierFor } from '../../settlement/pricing.ts'
import type { Usage } from '../../usage/usage.ts'
import type { Load } from '../rules.ts'

/** Maximum cost of a response to this load: its input by class, and `cap` tokens of the more expensive output class. */
export function needOf(model: Model, load: Load, cap: number): Nano {
  const most = model.contextTokens ?? Infinity
  // A session holds at most its window; count the most expensive classes first.
  const audio = Math.min(load.audio, most)
  const image = Math.min(load.image, most - audio)
  const text = Math.min(load.text, most - audio - image)
  const tier = tierFor(model.prices, text + audio + image)
  return sum([
    tokenCost(text, tier.input),
    tokenCost(audio, tier.audioInput ?? tier.input),
    tokenCost(image, tier.imageInput ?? tier.input),
    outputNeed(model, cap),
  ])
}

export function outputNeed(model: Model, cap: number): Nano {
  return tokenCost(cap, atLeast(model.prices.audioOutput ?? 0n, model.prices.output))
}

/** Ten tokens of speech are a second of it. */
export const TOKENS_A_SECOND = 10

/** Transcribing costs the time, or the audio and, at most, as many tokens of text. */
export function apartNeed(model: Model, audio: number): Nano {
  if (model.prices.seconds !== undefined) return tokenCost(Math.ceil(audio / TOKENS_A_SECOND) + 1, model.prices.seconds)
  return sum([tokenCost(audio, model.prices.audioInput ?? model.prices.input), tokenCost(audio, model.prices.output)])
}

/** Load of the session after a response, all of which is input of the next one. */
export function loadAfter(usage: Usage): Load {
  return {
    text: usage.input + usage.cachedInput + usage.cacheWrite5m + usage.cacheWrite1h + usage.output,
    audio: usage.audioInput + usage.cachedAudio + usage.audioOutput,
    image: usage.imageInput + usage.cachedImage,
  }
}

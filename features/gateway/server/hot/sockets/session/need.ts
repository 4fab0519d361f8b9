import { atLeast, sum, tokenCost } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Model } from '../../deps.ts'
import { tierFor } from '../../settlement/pricing.ts'
import type { Usage } from '../../usage/usage.ts'
import type { Load } from '../rules.ts'

/** What a response over this much can cost: its input by class, and `cap` tokens of the dearer output. */
export function needOf(model: Model, load: Load, cap: number): Nano {
  const most = model.contextTokens ?? Infinity
  // No session holds more than its window; what is dearer is kept.
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

/** What the session is made of after a response: all of it is the next one's input. */
export function loadAfter(usage: Usage): Load {
  return {
    text: usage.input + usage.cachedInput + usage.cacheWrite5m + usage.cacheWrite1h + usage.output,
    audio: usage.audioInput + usage.cachedAudio + usage.audioOutput,
    image: usage.imageInput + usage.cachedImage,
  }
}

import type { Nano } from '#platform/shared/money.ts'
import { mostInput, textBounds, windowOf } from '../bounds/bounds.ts'
import type { Bounds } from '../bounds/bounds.ts'
import type { Call } from '../call.ts'
import { amountOf, linesFor, worstCost } from '../settlement/pricing.ts'
import { stepPrices } from '../settlement/sold.ts'
import { totalInput, totalOutput } from '../usage/usage.ts'
import type { Usage } from '../usage/usage.ts'

/** Minimum output in tokens that a call without its own cap must be able to produce; a shorter answer is useless. */
export const LEAST_OUTPUT = 1_024
/** Output in tokens that such a call should afford before its text is counted exactly. */
const COMFORTABLE_OUTPUT = 8_192
/** Fewer bytes are not worth counting. */
const COUNTED_BYTES = 2_048
/** Densest realistic text, in bytes per token. A balance below even that cost is refused without counting. */
const DENSEST_BYTES_A_TOKEN = 8

/** Upper bound of the vendor's bill for a call as sent, and the amounts asked of the balance. */
export interface Need {
  readonly bounds: Bounds
  /** Tokens of text that `input` is reckoned with: its bytes, or what was counted. */
  readonly text: number
  readonly input: number
  /** Output tokens of all answers: what the request permits, or the model can. */
  readonly output: number
  /** Usage of pictures and sound; undefined if the call uses only tokens. */
  readonly media: Usage | undefined
  readonly wanted: Nano
  /** Smallest acceptable hold: less than `wanted` if a cap may be written into the request. */
  readonly least: Nano
}

/** `counted`: tokens of the text, where they are known. */
export function needOf(call: Call, counted?: number, bounds = boundsOf(call)): Need {
  const media = mediaOf(call)
  if (media !== undefined) {
    const cost = amountOf(linesFor(call.model!.prices, media, call.deps.findModel))
    return { bounds, text: bounds.text, input: totalInput(media), output: totalOutput(media), media, wanted: cost, least: cost }
  }
  const text = Math.min(bounds.text, counted ?? bounds.text)
  const input = mostInput(bounds, windowFor(call), text)
  const most = mostOutput(call)
  const output = most * call.facts!.copies
  const wanted = worst(call, input, output)
  const isCappable = call.facts!.outputCap === undefined && call.rules!.withCap !== undefined
  const floor = counted === undefined && isCountable(call, bounds) ? COMFORTABLE_OUTPUT : LEAST_OUTPUT
  const least = isCappable ? worst(call, input, Math.min(most, floor) * call.facts!.copies) : wanted
  return { bounds, text, input, output, media, wanted, least }
}

/** The most that so many tokens can cost, with all else that the request asks for. */
function worst(call: Call, input: number, output: number): Nano {
  const { asks } = call.facts!
  const model = call.model!
  return worstCost(model.prices, { input, output }, asks, asks.steps.length === 0 ? undefined : stepPrices(call.deps, model))
}

/** The most that a call with pictures or sound can use; undefined for text. */
export function mediaOf(call: Call): Usage | undefined {
  return call.rules!.media?.most(call.facts!.media!, call.model!)
}

function boundsOf(call: Call): Bounds {
  const { bounds } = call.rules!
  return bounds === undefined || call.facts!.isPlain === true ? textBounds(call.body) : bounds(call.body, call.model!)
}

/** Output tokens of one answer: what the request names, else what the model can. */
function mostOutput(call: Call): number {
  const model = call.model!
  if (model.kind === 'embedding') return 0
  const most = hasBeta(call, 'output-') ? windowFor(call) : (model.maxOutputTokens ?? windowFor(call))
  return Math.min(call.facts!.outputCap ?? most, most)
}

/** Anthropic's betas can widen a model's window and the length of its answers. */
function windowFor(call: Call): number {
  return hasBeta(call, 'context-') ? Math.max(windowOf(call.model!), WIDE_WINDOW) : windowOf(call.model!)
}
const WIDE_WINDOW = 1_000_000

function hasBeta(call: Call, name: string): boolean {
  if (call.surface !== 'anthropic' || call.translation !== undefined) return false
  const { forward } = call.head
  for (let i = 0; i < forward.length; i += 2) if (forward[i]!.toLowerCase() === 'anthropic-beta' && forward[i + 1]!.includes(name)) return true
  return false
}

/** The longest cap on each answer that so much money covers, 0 where none is. */
export function affordableOutput(call: Call, need: Need, money: Nano): number {
  const { copies } = call.facts!
  let low = 0
  let high = Math.floor(need.output / copies)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (worst(call, need.input, middle * copies) <= money) low = middle
    else high = middle - 1
  }
  return low
}

/** True where counting its text could bring the call within reach, and it is long enough to be worth it. */
export function isCountable(call: Call, bounds: Bounds): boolean {
  return call.deps.countTokens !== undefined && bounds.text >= COUNTED_BYTES && bounds.text < windowFor(call) * DENSEST_BYTES_A_TOKEN
}

/** The least that the call could come to, however dense its text. */
export function cheapest(call: Call, need: Need): Nano {
  const input = mostInput(need.bounds, windowFor(call), Math.floor(need.bounds.text / DENSEST_BYTES_A_TOKEN))
  const most = mostOutput(call)
  return worst(call, input, (need.least === need.wanted ? most : Math.min(most, LEAST_OUTPUT)) * call.facts!.copies)
}

/** Tokens that count against a key's tokens per minute: the typical use at three bytes per token, not the worst case. */
export function usualTokens(call: Call, need: Need): number {
  if (need.media !== undefined) return need.input + need.output
  const { bounds } = need
  const { outputCap, copies } = call.facts!
  const most = mostOutput(call)
  const input = Math.min(windowFor(call), Math.ceil(bounds.text / 3) + bounds.added)
  return input + (outputCap === undefined ? Math.min(most, call.deps.limits.defaultOutputTokens) : most) * copies
}

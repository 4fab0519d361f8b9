import type { Nano } from '#platform/shared/money.ts'
import { computeMaxInput, createTextBounds, getModelWindow } from '../bounds/bounds.ts'
import type { InputBounds } from '../bounds/bounds.ts'
import type { GatewayCall } from '../call.ts'
import { sumUsageLines, buildUsageLines, computeMaxCost } from '../settlement/pricing.ts'
import { createStepPriceLookup } from '../settlement/sold.ts'
import { sumInput, sumOutput } from '../usage/usage.ts'
import type { Usage } from '../usage/usage.ts'

/** Minimum output in tokens that a call without its own cap must be able to produce; a shorter answer is useless. */
export const MIN_OUTPUT_TOKENS = 1_024
/** Output in tokens that such a call should afford before its text is counted exactly. */
const COMFORTABLE_OUTPUT = 8_192
/** Texts of fewer bytes are not worth counting. */
const MIN_COUNTED_BYTES = 2_048
/** Densest realistic text, in bytes per token. A balance below even that cost is refused without counting. */
const MAX_BYTES_PER_TOKEN = 8

/** Upper bound of the vendor's bill for a call as sent, and the amounts asked of the balance. */
export interface HoldNeed {
  readonly bounds: InputBounds
  /** Tokens of text assumed in `input`: its bytes, or the exact count. */
  readonly text: number
  readonly input: number
  /** Output tokens of all answers: the request's cap, or the model's maximum. */
  readonly output: number
  /** Usage of images and audio; undefined if the call uses only tokens. */
  readonly media: Usage | undefined
  readonly wanted: Nano
  /** Smallest acceptable hold: less than `wanted` if a cap may be written into the request. */
  readonly least: Nano
}

/** `counted`: tokens of the text, if known. */
export function computeHoldNeed(call: GatewayCall, counted?: number, bounds = readInputBounds(call)): HoldNeed {
  const media = computeMaxMediaUsage(call)
  if (media !== undefined) {
    const cost = sumUsageLines(buildUsageLines(call.model!.prices, media, call.deps.findModel))
    return { bounds, text: bounds.text, input: sumInput(media), output: sumOutput(media), media, wanted: cost, least: cost }
  }
  const text = Math.min(bounds.text, counted ?? bounds.text)
  const input = computeMaxInput(bounds, getContextWindow(call), text)
  const most = getMaxOutput(call)
  const output = most * call.facts!.copies
  const wanted = computeCallMaxCost(call, input, output)
  const isCappable = call.facts!.outputCap === undefined && call.rules!.withCap !== undefined
  const floor = counted === undefined && isCountable(call, bounds) ? COMFORTABLE_OUTPUT : MIN_OUTPUT_TOKENS
  const least = isCappable ? computeCallMaxCost(call, input, Math.min(most, floor) * call.facts!.copies) : wanted
  return { bounds, text, input, output, media, wanted, least }
}

/** Maximum cost of this many tokens, with all other billable parts of the request. */
function computeCallMaxCost(call: GatewayCall, input: number, output: number): Nano {
  const { asks } = call.facts!
  const model = call.model!
  return computeMaxCost(model.prices, { input, output }, asks, asks.steps.length === 0 ? undefined : createStepPriceLookup(call.deps, model))
}

/** Maximum usage of a call with images or audio; undefined for text. */
export function computeMaxMediaUsage(call: GatewayCall): Usage | undefined {
  return call.rules!.media?.most(call.facts!.media!, call.model!)
}

function readInputBounds(call: GatewayCall): InputBounds {
  const { bounds } = call.rules!
  return bounds === undefined || call.facts!.isPlain === true ? createTextBounds(call.body) : bounds(call.body, call.model!)
}

/** Output tokens of one answer: the request's cap, else the model's maximum. */
function getMaxOutput(call: GatewayCall): number {
  const model = call.model!
  if (model.kind === 'embedding') return 0
  const most = hasBeta(call, 'output-') ? getContextWindow(call) : (model.maxOutputTokens ?? getContextWindow(call))
  return Math.min(call.facts!.outputCap ?? most, most)
}

/** Anthropic's betas can raise a model's window and its output limit. */
function getContextWindow(call: GatewayCall): number {
  return hasBeta(call, 'context-') ? Math.max(getModelWindow(call.model!), WIDE_WINDOW) : getModelWindow(call.model!)
}
const WIDE_WINDOW = 1_000_000

function hasBeta(call: GatewayCall, name: string): boolean {
  if (call.surface !== 'anthropic' || call.translation !== undefined) return false
  const { forward } = call.head
  for (let i = 0; i < forward.length; i += 2) if (forward[i]!.toLowerCase() === 'anthropic-beta' && forward[i + 1]!.includes(name)) return true
  return false
}

/** Highest cap on each answer that this amount covers; 0 if none. */
export function computeAffordableOutput(call: GatewayCall, need: HoldNeed, money: Nano): number {
  const { copies } = call.facts!
  let low = 0
  let high = Math.floor(need.output / copies)
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (computeCallMaxCost(call, need.input, middle * copies) <= money) low = middle
    else high = middle - 1
  }
  return low
}

/** True if counting the text exactly could make the call affordable, and the text is long enough to be worth it. */
export function isCountable(call: GatewayCall, bounds: InputBounds): boolean {
  return call.deps.countTokens !== undefined && bounds.text >= MIN_COUNTED_BYTES && bounds.text < getContextWindow(call) * MAX_BYTES_PER_TOKEN
}

/** Minimum cost of the call, however dense its text. */
export function computeMinCost(call: GatewayCall, need: HoldNeed): Nano {
  const input = computeMaxInput(need.bounds, getContextWindow(call), Math.floor(need.bounds.text / MAX_BYTES_PER_TOKEN))
  const most = getMaxOutput(call)
  return computeCallMaxCost(call, input, (need.least === need.wanted ? most : Math.min(most, MIN_OUTPUT_TOKENS)) * call.facts!.copies)
}

/** Tokens that count against a key's tokens per minute: the typical use at three bytes per token, not the worst case. */
export function estimateUsualTokens(call: GatewayCall, need: HoldNeed): number {
  if (need.media !== undefined) return need.input + need.output
  const { bounds } = need
  const { outputCap, copies } = call.facts!
  const most = getMaxOutput(call)
  const input = Math.min(getContextWindow(call), Math.ceil(bounds.text / 3) + bounds.added)
  return input + (outputCap === undefined ? Math.min(most, call.deps.limits.defaultOutputTokens) : most) * copies
}

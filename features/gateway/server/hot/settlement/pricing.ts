import { affordableTokens, minus, multiplied, plus, times, tokenCost } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { ClassPrices, Factor, Model, Prices, ToolClass, UsageLine } from '../deps.ts'
import { NO_ASKS } from '../dialects/asks.ts'
import type { Asks } from '../dialects/asks.ts'
import { totalInput } from '../usage/usage.ts'
import type { Usage } from '../usage/usage.ts'

/** The tier is chosen by all input of the call, cached or not (wire.md 7). */
export function tierFor(prices: Prices, inputTokens: number): ClassPrices {
  const long = prices.longContext
  return long !== undefined && inputTokens > long.aboveInputTokens ? long.prices : prices
}

function dearer(a: Nano, b: Nano | undefined): Nano {
  return b !== undefined && b > a ? b : a
}

/**
 * Maximum cost of a call: `most` tokens of the most expensive class at the highest requested factors, every step on another model as
 * long as the call itself, and every permitted tool use. `pricesOf` finds the models of steps; an unknown one costs as much as this
 * model.
 */
export function worstCost(
  prices: Prices,
  most: { readonly input: number; readonly output: number },
  asks: Asks,
  pricesOf: (model: string | undefined) => Prices | undefined = () => undefined,
): Nano {
  let cost = tokensAtWorst(prices, most.input, most.output + asks.predicted, asks)
  for (const { kind, most: uses, each } of asks.tools) cost = plus(cost, tokenCost(uses * each, prices[kind] ?? 0n))
  for (const step of asks.steps) {
    const other = pricesOf(step.model) ?? prices
    const once =
      step.imageTokens === undefined
        ? tokensAtWorst(other, most.input, Math.max(step.output ?? 0, most.output), asks)
        : plus(tokensAtWorst(other, most.input, 0, NO_ASKS), tokenCost(step.imageTokens, other.imageOutput ?? other.output))
    cost = plus(cost, times(once, step.times))
  }
  return cost
}

/** A factor below one is what the vendor may give, not what it must: it holds nothing back. */
function tokensAtWorst(prices: Prices, input: number, output: number, { factors, longCache }: Asks): Nano {
  const tier = tierFor(prices, input)
  const above = factors.length === 0 ? NONE : factorsOf(prices, factors).filter((factor) => factor > ONE)
  const dearest = longCache ? dearer(dearestInput(tier), tier.cacheWrite12h) : dearestInput(tier)
  return plus(tokenCost(input, multiplied(dearest, above)), tokenCost(output, multiplied(dearestOutput(tier), above)))
}

export const ONE = 1_000_000n
const NONE: readonly bigint[] = []

/** A factor not sold for the model counts as 1; `unpriced` reports it. */
const factorsOf = (prices: Prices, factors: readonly Factor[]): bigint[] => factors.map((name) => prices.factors?.[name] ?? ONE)

/** Nano-dollars per million tokens, but for a cache that lives long: that is asked for. */
export const dearestInput = (tier: ClassPrices): Nano =>
  dearer(dearer(dearer(dearer(tier.input, tier.cacheWrite5m), tier.cacheWrite1h), tier.audioInput), tier.imageInput)
export const dearestOutput = (tier: ClassPrices): Nano => dearer(dearer(tier.output, tier.audioOutput), tier.imageOutput)

/**
 * Itemized lines of a usage. Classes without their own price cost what their parent costs; a line without an amount names each
 * factor. Steps on unknown models cost `unknownStep`.
 */
export function linesFor(prices: Prices, usage: Usage, findModel: (id: string) => Model | undefined, unknownStep: Prices = prices): UsageLine[] {
  const tier = tierFor(prices, totalInput(usage))
  const factors = usage.factors.length === 0 ? NONE : factorsOf(prices, usage.factors)
  const lines: UsageLine[] = []
  const add = (kind: UsageLine['kind'], tokens: number, price: Nano, by: readonly bigint[] = factors): void => {
    if (tokens === 0) return
    const unitPrice = by.length === 0 ? price : multiplied(price, by)
    lines.push({ kind, tokens, unitPrice, amount: tokenCost(tokens, unitPrice) })
  }
  add('input', usage.input, tier.input)
  add('cachedInput', usage.cachedInput, tier.cachedInput ?? tier.input)
  add('cacheWrite5m', usage.cacheWrite5m, tier.cacheWrite5m ?? tier.input)
  add('cacheWrite1h', usage.cacheWrite1h, tier.cacheWrite1h ?? tier.cacheWrite5m ?? tier.input)
  add('cacheWrite12h', usage.cacheWrite12h, tier.cacheWrite12h ?? tier.cacheWrite5m ?? tier.input)
  add('audioInput', usage.audioInput, tier.audioInput ?? tier.input)
  add('imageInput', usage.imageInput, tier.imageInput ?? tier.input)
  add('cachedAudio', usage.cachedAudio, tier.cachedAudio ?? tier.cachedInput ?? tier.audioInput ?? tier.input)
  add('cachedImage', usage.cachedImage, tier.cachedImage ?? tier.cachedInput ?? tier.imageInput ?? tier.input)
  add('output', usage.output, tier.output)
  add('reasoning', usage.reasoning, tier.output)
  add('audioOutput', usage.audioOutput, tier.audioOutput ?? tier.output)
  add('imageOutput', usage.imageOutput, tier.imageOutput ?? tier.output)
  add('characters', usage.characters, tier.characters ?? 0n)
  add('seconds', usage.seconds, tier.seconds ?? 0n)
  add('searches', usage.searches, tier.searches ?? 0n)
  if (usesTools(usage)) for (const kind of TOOLS) if (prices[kind] !== undefined) add(kind, usage[kind], prices[kind], NONE)
  for (let at = 0; at < factors.length; at++) lines.push({ kind: usage.factors[at]!, tokens: 0, unitPrice: times(factors[at]!, NANO_A_MILLIONTH), amount: 0n })
  for (const step of usage.extra) {
    const other = step.model === undefined ? undefined : findModel(step.model)
    lines.push(...linesFor(other?.prices ?? (step.model === undefined ? prices : unknownStep), step.usage, findModel, unknownStep))
  }
  return lines
}

const TOOLS: readonly ToolClass[] = ['webSearches', 'groundedPrompts', 'mapPrompts', 'containers', 'codeSeconds']
/** Nearly no call does: one sum instead of five looks by name. */
const usesTools = (usage: Usage): boolean => usage.webSearches + usage.groundedPrompts + usage.mapPrompts + usage.containers + usage.codeSeconds !== 0
/** Tools that some models bill by the use and others by the prompt: the model has a price for one of the two. */
const EITHER: Readonly<Partial<Record<ToolClass, ToolClass>>> = { webSearches: 'groundedPrompts', groundedPrompts: 'webSearches' }
const NANO_A_MILLIONTH = 1_000

/** The usage, with what no price is known for named as unknown. */
export function pricedUsage(prices: Prices, usage: Usage): Usage {
  const unknown = unpriced(prices, usage)
  return unknown === usage.unknown ? usage : { ...usage, unknown }
}

/** Name of the first item without a price: a factor not sold for the model, a tool, a longer cache; undefined if all are priced. */
function unpriced(prices: Prices, usage: Usage): string | undefined {
  if (usage.unknown !== undefined) return usage.unknown
  for (const name of usage.factors) if (prices.factors?.[name] === undefined) return name
  if (usesTools(usage)) for (const name of TOOLS) if (usage[name] > 0 && prices[name] === undefined && prices[EITHER[name] ?? name] === undefined) return name
  if (usage.cacheWrite12h > 0 && prices.cacheWrite12h === undefined) return 'cacheWrite12h'
  if (usage.imageOutput > 0 && prices.imageOutput === undefined) return 'imageOutput'
  return undefined
}

export function amountOf(lines: readonly UsageLine[]): Nano {
  let total = 0n
  for (const { amount } of lines) total = plus(total, amount)
  return total
}

/** Cuts lines that we only estimated down to `budget`: an estimate never costs more than was held. */
export function cappedLines(lines: readonly UsageLine[], budget: Nano): UsageLine[] {
  const capped: UsageLine[] = []
  let left = budget
  for (const line of lines) {
    const tokens = line.amount <= left ? line.tokens : affordableTokens(left, line.unitPrice)
    if (tokens === 0) continue
    const amount = tokenCost(tokens, line.unitPrice)
    capped.push({ ...line, tokens, amount })
    left = minus(left, amount)
  }
  return capped
}

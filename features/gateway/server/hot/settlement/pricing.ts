import { countAffordableTokens, subtractNano, applyFactors, addNano, multiplyNano, computeTokenCost } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { ClassPrices, Factor, GatewayModel, ModelPrices, ToolClass, UsageLine } from '../deps.ts'
import { NO_BILLABLE_OPTIONS } from '../dialects/billable-options.ts'
import type { BillableOptions } from '../dialects/billable-options.ts'
import { sumInput } from '../usage/usage.ts'
import type { Usage } from '../usage/usage.ts'

/** The tier is chosen by all input of the call, cached or not (wire.md 7). */
export function selectPriceTier(prices: ModelPrices, inputTokens: number): ClassPrices {
  const long = prices.longContext
  return long !== undefined && inputTokens > long.aboveInputTokens ? long.prices : prices
}

function pickHigherPrice(a: Nano, b: Nano | undefined): Nano {
  return b !== undefined && b > a ? b : a
}

/**
 * Maximum cost of a call: `most` tokens of the most expensive class at the highest requested factors, every step on another model as
 * long as the call itself, and every permitted tool use. `pricesOf` finds the models of steps; an unknown one costs as much as this
 * model.
 */
export function computeMaxCost(
  prices: ModelPrices,
  most: { readonly input: number; readonly output: number },
  asks: BillableOptions,
  pricesOf: (model: string | undefined) => ModelPrices | undefined = () => undefined,
): Nano {
  let cost = computeMaxTokenCost(prices, most.input, most.output + asks.predicted, asks)
  for (const { kind, most: uses, each } of asks.tools) cost = addNano(cost, computeTokenCost(uses * each, prices[kind] ?? 0n))
  for (const step of asks.steps) {
    const other = pricesOf(step.model) ?? prices
    const once =
      step.imageTokens === undefined
        ? computeMaxTokenCost(other, most.input, Math.max(step.output ?? 0, most.output), asks)
        : addNano(computeMaxTokenCost(other, most.input, 0, NO_BILLABLE_OPTIONS), computeTokenCost(step.imageTokens, other.imageOutput ?? other.output))
    cost = addNano(cost, multiplyNano(once, step.times))
  }
  return cost
}

/** A factor below one is at the vendor's discretion, so it does not lower the hold. */
function computeMaxTokenCost(prices: ModelPrices, input: number, output: number, { factors, longCache }: BillableOptions): Nano {
  const tier = selectPriceTier(prices, input)
  const above = factors.length === 0 ? NO_FACTORS : listFactors(prices, factors).filter((factor) => factor > FACTOR_ONE)
  const highest = longCache ? pickHigherPrice(findHighestInputPrice(tier), tier.cacheWrite12h) : findHighestInputPrice(tier)
  return addNano(computeTokenCost(input, applyFactors(highest, above)), computeTokenCost(output, applyFactors(findHighestOutputPrice(tier), above)))
}

export const FACTOR_ONE = 1_000_000n
const NO_FACTORS: readonly bigint[] = []

/** A factor not sold for the model counts as 1; `unpriced` reports it. */
const listFactors = (prices: ModelPrices, factors: readonly Factor[]): bigint[] => factors.map((name) => prices.factors?.[name] ?? FACTOR_ONE)

/** Nano-dollars per million tokens, except for long-lived caches, which are requested explicitly. */
export const findHighestInputPrice = (tier: ClassPrices): Nano =>
  pickHigherPrice(pickHigherPrice(pickHigherPrice(pickHigherPrice(tier.input, tier.cacheWrite5m), tier.cacheWrite1h), tier.audioInput), tier.imageInput)
export const findHighestOutputPrice = (tier: ClassPrices): Nano => pickHigherPrice(pickHigherPrice(tier.output, tier.audioOutput), tier.imageOutput)

/**
 * Itemized lines of a usage. Classes without their own price cost what their parent costs; a line without an amount names each
 * factor. Steps on unknown models cost `unknownStep`.
 */
export function buildUsageLines(
  prices: ModelPrices,
  usage: Usage,
  findModel: (id: string) => GatewayModel | undefined,
  unknownStep: ModelPrices = prices,
): UsageLine[] {
  const tier = selectPriceTier(prices, sumInput(usage))
  const factors = usage.factors.length === 0 ? NO_FACTORS : listFactors(prices, usage.factors)
  const lines: UsageLine[] = []
  const add = (kind: UsageLine['kind'], tokens: number, price: Nano, by: readonly bigint[] = factors): void => {
    if (tokens === 0) return
    const unitPrice = by.length === 0 ? price : applyFactors(price, by)
    lines.push({ kind, tokens, unitPrice, amount: computeTokenCost(tokens, unitPrice) })
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
  if (usesTools(usage)) for (const kind of TOOLS) if (prices[kind] !== undefined) add(kind, usage[kind], prices[kind], NO_FACTORS)
  for (let at = 0; at < factors.length; at++)
    lines.push({ kind: usage.factors[at]!, tokens: 0, unitPrice: multiplyNano(factors[at]!, NANO_A_MILLIONTH), amount: 0n })
  for (const step of usage.extra) {
    const other = step.model === undefined ? undefined : findModel(step.model)
    lines.push(...buildUsageLines(other?.prices ?? (step.model === undefined ? prices : unknownStep), step.usage, findModel, unknownStep))
  }
  return lines
}

const TOOLS: readonly ToolClass[] = ['webSearches', 'groundedPrompts', 'mapPrompts', 'containers', 'codeSeconds']
/** Almost no call has these: one sum replaces five lookups by name. */
const usesTools = (usage: Usage): boolean => usage.webSearches + usage.groundedPrompts + usage.mapPrompts + usage.containers + usage.codeSeconds !== 0
/** Tools that some models bill by use and others by prompt: the model has a price for one of the two. */
const ALTERNATIVE_TOOLS: Readonly<Partial<Record<ToolClass, ToolClass>>> = { webSearches: 'groundedPrompts', groundedPrompts: 'webSearches' }
const NANO_A_MILLIONTH = 1_000

/** Returns the usage, naming items without a known price as unknown. */
export function markUnpricedUsage(prices: ModelPrices, usage: Usage): Usage {
  const unknown = findUnpriced(prices, usage)
  return unknown === usage.unknown ? usage : { ...usage, unknown }
}

/** Name of the first item without a price: a factor not sold for the model, a tool, a longer cache; undefined if all are priced. */
function findUnpriced(prices: ModelPrices, usage: Usage): string | undefined {
  if (usage.unknown !== undefined) return usage.unknown
  for (const name of usage.factors) if (prices.factors?.[name] === undefined) return name
  if (usesTools(usage))
    for (const name of TOOLS) if (usage[name] > 0 && prices[name] === undefined && prices[ALTERNATIVE_TOOLS[name] ?? name] === undefined) return name
  if (usage.cacheWrite12h > 0 && prices.cacheWrite12h === undefined) return 'cacheWrite12h'
  if (usage.imageOutput > 0 && prices.imageOutput === undefined) return 'imageOutput'
  return undefined
}

export function sumUsageLines(lines: readonly UsageLine[]): Nano {
  let total = 0n
  for (const { amount } of lines) total = addNano(total, amount)
  return total
}

/** Reduces lines that are only estimates to `budget`: an estimate never costs more than was held. */
export function capUsageLines(lines: readonly UsageLine[], budget: Nano): UsageLine[] {
  const capped: UsageLine[] = []
  let left = budget
  for (const line of lines) {
    const tokens = line.amount <= left ? line.tokens : countAffordableTokens(left, line.unitPrice)
    if (tokens === 0) continue
    const amount = computeTokenCost(tokens, line.unitPrice)
    capped.push({ ...line, tokens, amount })
    left = subtractNano(left, amount)
  }
  return capped
}

import { affordableTokens, minus, sum, tokenCost } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { ClassPrices, Model, Prices, UsageLine } from './deps.ts'
import { totalInput } from './usage.ts'
import type { Usage } from './usage.ts'

/** The tier is chosen by all input of the call, cached or not (wire.md, section 7). */
export function tierFor(prices: Prices, inputTokens: number): ClassPrices {
  const long = prices.longContext
  return long !== undefined && inputTokens > long.aboveInputTokens ? long.prices : prices
}

function dearer(a: Nano, b: Nano | undefined): Nano {
  return b !== undefined && b > a ? b : a
}

/** The most a call can reasonably cost: input at its dearest class, and the whole output cap, n times. */
export function holdFor(prices: Prices, inputTokens: number, outputTokens: number): Nano {
  const tier = tierFor(prices, inputTokens)
  return sum([tokenCost(inputTokens, dearestInput(tier)), tokenCost(outputTokens, dearestOutput(tier))])
}

/** Nano-dollars per million tokens. */
export const dearestInput = (tier: ClassPrices): Nano => dearer(dearer(dearer(tier.input, tier.cacheWrite5m), tier.cacheWrite1h), tier.audioInput)
export const dearestOutput = (tier: ClassPrices): Nano => dearer(tier.output, tier.audioOutput)

/** The itemised lines of one usage; classes without a price of their own cost what their parent costs. */
export function linesFor(prices: Prices, usage: Usage, findModel: (id: string) => Model | undefined): UsageLine[] {
  const tier = tierFor(prices, totalInput(usage))
  const lines: UsageLine[] = []
  const add = (kind: UsageLine['kind'], tokens: number, unitPrice: Nano): void => {
    if (tokens > 0) lines.push({ kind, tokens, unitPrice, amount: tokenCost(tokens, unitPrice) })
  }
  add('input', usage.input, tier.input)
  add('cachedInput', usage.cachedInput, tier.cachedInput ?? tier.input)
  add('cacheWrite5m', usage.cacheWrite5m, tier.cacheWrite5m ?? tier.input)
  add('cacheWrite1h', usage.cacheWrite1h, tier.cacheWrite1h ?? tier.cacheWrite5m ?? tier.input)
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
  for (const step of usage.extra) {
    const other = step.model === undefined ? undefined : findModel(step.model)
    lines.push(...linesFor(other?.prices ?? prices, step.usage, findModel))
  }
  return lines
}

export function amountOf(lines: readonly UsageLine[]): Nano {
  return sum(lines.map((line) => line.amount))
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

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The vendors' prices, computed independently of the gateway's code: their published price lists (data), and the effects of tier, speed, region and
 * tools. All amounts are nano-dollars.
 */
export interface Tariff {
  readonly id: string
  readonly vendor: string
  readonly kind: string
  readonly window: number
  readonly mostOutput: number
  readonly prices: PricesByClass
  readonly long: { readonly above: number; readonly prices: PricesByClass } | undefined
}

/** Nano-dollars per million by class; a class is absent if the vendor's list has no price for it. */
type PricesByClass = Readonly<Record<string, bigint | undefined>>

/** Usage of one call, in classes that do not overlap. */
export type UsedUnits = Readonly<Record<string, number>>

/** Multiplier for every class of a call. */
export interface RateMultiplier {
  readonly times: bigint
  readonly per: bigint
}
export const PLAIN_RATE: RateMultiplier = { times: 1n, per: 1n }
export const combineRates = (a: RateMultiplier, b: RateMultiplier): RateMultiplier => ({ times: a.times * b.times, per: a.per * b.per })

const FOLDER = join(import.meta.dirname, '../../../features/gateway/server/catalogue/prices')
const INPUTS = ['input', 'cachedInput', 'cacheWrite5m', 'cacheWrite1h', 'audioInput', 'imageInput']
/** Fallback class whose price applies if a list has none for the class itself. */
const PARENT: Readonly<Record<string, string>> = {
  cachedInput: 'input',
  cacheWrite1h: 'cacheWrite5m',
  cacheWrite5m: 'input',
  audioInput: 'input',
  imageInput: 'input',
  audioOutput: 'output',
  imageOutput: 'output',
}

const parseNano = (text: string): bigint => BigInt(Math.round(Number(text) * 1e9))
const classesOf = (prices: Record<string, string | null>): PricesByClass =>
  Object.fromEntries(Object.entries(prices).flatMap(([name, text]) => (typeof text === 'string' ? [[name, parseNano(text)]] : [])))

/**
 * Reads the models of the dated lists under each of their names; a later list overrides an earlier one, even if it contains only some
 * prices.
 */
export function readTariffs(): ReadonlyMap<string, Tariff> {
  const tariffs = new Map<string, Tariff>()
  const names = new Map<string, readonly string[]>()
  for (const file of readdirSync(FOLDER).toSorted()) {
    if (!file.endsWith('.json')) continue
    const list = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as { models?: any[]; changes?: any[] }
    for (const change of list.changes ?? [])
      for (const id of change.ids ?? []) {
        const before = tariffs.get(id)!
        const long = before.long && { ...before.long, prices: { ...before.long.prices, ...classesOf(change.longPrices ?? {}) } }
        for (const name of names.get(id)!) tariffs.set(name, { ...before, prices: { ...before.prices, ...classesOf(change.prices ?? {}) }, long })
      }
    for (const model of list.models ?? []) {
      if (model.prices === undefined) continue
      const tariff: Tariff = {
        id: model.id,
        vendor: model.vendor,
        kind: model.kind,
        window: model.contextTokens ?? 200_000,
        mostOutput: model.maxOutputTokens ?? (model.vendor === 'google' ? 65_536 : 16_384),
        prices: classesOf(model.prices),
        long: model.longContext ? { above: model.longContext.aboveInputTokens, prices: classesOf(model.longContext.prices) } : undefined,
      }
      names.set(model.id, [model.id, ...(model.aliases ?? [])])
      for (const name of names.get(model.id)!) tariffs.set(name, tariff)
    }
  }
  return tariffs
}

const unitOf = (prices: PricesByClass, name: string): bigint => {
  for (let at: string | undefined = name; at !== undefined; at = PARENT[at]) if (prices[at] !== undefined) return prices[at]!
  return 0n
}

/** Cost of a call's usage; the total input decides if the long-context prices apply. Each class is rounded up to the nano-dollar. */
export function computeUsageCost(tariff: Tariff, used: UsedUnits, rate: RateMultiplier): bigint {
  const input = INPUTS.reduce((sum, name) => sum + (used[name] ?? 0), 0)
  const prices = tariff.long !== undefined && input > tariff.long.above ? tariff.long.prices : tariff.prices
  let sum = 0n
  for (const [name, amount] of Object.entries(used)) {
    const millionth = BigInt(amount) * unitOf(prices, name === 'reasoning' ? 'output' : name) * rate.times
    const whole = 1_000_000n * rate.per
    sum += (millionth + whole - 1n) / whole
  }
  return sum
}

/**
 * Fee per use of a hosted tool. https://platform.openai.com/docs/pricing, https://docs.claude.com/en/docs/about-claude/pricing,
 * https://ai.google.dev/gemini-api/docs/pricing
 */
export const HOSTED_TOOL_FEES = {
  openaiSearch: 10_000_000n,
  openaiPreviewSearch: 25_000_000n,
  openaiFileSearch: 2_500_000n,
  openaiContainer: { '1g': 30_000_000n, '4g': 120_000_000n, '16g': 480_000_000n, '64g': 1_920_000_000n } as Readonly<Record<string, bigint>>,
  claudeSearch: 10_000_000n,
  /** Five minutes of an hour at five cents: the minimum billed, and no response here takes longer. */
  claudeContainer: 4_166_667n,
  /** Fee per query, from Gemini 3 on; per prompt before that. */
  geminiQuery: 14_000_000n,
  geminiPrompt: 35_000_000n,
  geminiMaps: 25_000_000n,
}

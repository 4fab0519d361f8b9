import { parseUsd, computeTokenCost, formatUsd } from '#platform/shared/money.ts'
import type { ClassPriceTexts, ModelRow } from './contract.ts'
import type { LineKind } from './contract-usage.ts'

/** Unit that a price class counts. Prices are stored per million units and shown per the quantity that vendors quote. */
export type PriceUnit = 'token' | 'character' | 'second' | 'search' | 'prompt' | 'gigabyte'

const UNITS: Readonly<Partial<Record<LineKind, PriceUnit>>> = {
  characters: 'character',
  seconds: 'second',
  searches: 'search',
  webSearches: 'search',
  groundedPrompts: 'prompt',
  mapPrompts: 'prompt',
  containers: 'gigabyte',
  codeSeconds: 'second',
}

/** Tiers, speed and region: multipliers of token prices. */
export const PRICE_FACTORS = ['flex', 'priority', 'fast', 'us'] as const

/** Receipt lines that name a multiplier of the other lines' prices; their unit price is that factor. */
export const isFactor = (kind: LineKind): boolean => (PRICE_FACTORS as readonly string[]).includes(kind)

export const getPriceUnit = (kind: LineKind): PriceUnit => UNITS[kind] ?? 'token'

/** Quantity of a receipt line's unit price: tokens and characters per million, others per one, so that the line can be recomputed. */
export function formatLinePrice(perMillion: string, unit: PriceUnit): string {
  return unit === 'token' || unit === 'character' ? perMillion : formatUsd(computeTokenCost(1, parseUsd(perMillion)))
}

/** Vendors quote a minute of audio, a thousand searches or prompts, and one gigabyte; all other units stay per million. */
const LISTED_QUANTITY: Readonly<Record<PriceUnit, number>> = { token: 1_000_000, character: 1_000_000, second: 60, search: 1_000, prompt: 1_000, gigabyte: 1 }

export interface ListedPrice {
  readonly name: keyof ClassPriceTexts
  readonly unit: PriceUnit
  /** In dollars or yuan, per million tokens or characters, per minute, per thousand searches or prompts, per gigabyte. */
  readonly price: string
}

const MODEL_CLASSES: readonly (keyof ClassPriceTexts)[] = [
  'input',
  'cachedInput',
  'audioInput',
  'imageInput',
  'cachedImage',
  'output',
  'audioOutput',
  'imageOutput',
  'characters',
  'seconds',
  'searches',
]

/** Classes billed by use, independent of the model: 12-hour cache writes and the vendors' own tools. */
const TOOL_CLASSES: readonly (keyof ClassPriceTexts)[] = ['cacheWrite12h', 'webSearches', 'groundedPrompts', 'mapPrompts', 'containers', 'codeSeconds']

/** Prices of a model, class by class; empty for a free model. */
export const listModelPrices = (prices: ClassPriceTexts): ListedPrice[] => toListedPrices(MODEL_CLASSES, prices)

/** Prices of a model's tools; empty for a model without tools. */
export const listToolPrices = (prices: ClassPriceTexts): ListedPrice[] => toListedPrices(TOOL_CLASSES, prices)

function toListedPrices(names: readonly (keyof ClassPriceTexts)[], prices: ClassPriceTexts): ListedPrice[] {
  return names.flatMap((name) => {
    const text = prices[name]
    if (text === undefined || text === null || text === '0') return []
    const unit = getPriceUnit(name)
    return [{ name, unit, price: formatUsd(computeTokenCost(LISTED_QUANTITY[unit], parseUsd(text))) }]
  })
}

/** Kinds that are not priced as text in and text out, in the order of the price list; each is listed separately. */
export const MEDIA_KINDS = ['image', 'speech', 'transcription', 'moderation', 'rerank'] as const
export type MediaKind = (typeof MEDIA_KINDS)[number]

export function isMedia(kind: ModelRow['kind']): kind is MediaKind {
  return (MEDIA_KINDS as readonly string[]).includes(kind)
}

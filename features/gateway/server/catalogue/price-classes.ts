import type { ClassPrices, Factor, ModelPrices } from '../hot/deps.ts'

export type ClassName = keyof ClassPrices

/** The order of a price row's array (`gateway_prices.classes`). Never reorder; older rows are shorter. */
export const PRICE_CLASSES: readonly ClassName[] = [
  'input',
  'cachedInput',
  'cacheWrite5m',
  'cacheWrite1h',
  'output',
  'audioInput',
  'audioOutput',
  'imageInput',
  'cachedAudio',
  'cachedImage',
  'imageOutput',
  'characters',
  'seconds',
  'searches',
  'cacheWrite12h',
  'webSearches',
  'groundedPrompts',
  'mapPrompts',
  'containers',
  'codeSeconds',
]

/** Converts a stored array to prices by class. */
export function toClassPrices(stored: readonly (string | null)[]): ClassPrices {
  const price = (at: number) => (stored[at] == null ? undefined : BigInt(stored[at]))
  return {
    input: price(0) ?? 0n,
    cachedInput: price(1),
    cacheWrite5m: price(2),
    cacheWrite1h: price(3),
    output: price(4) ?? 0n,
    audioInput: price(5),
    audioOutput: price(6),
    imageInput: price(7),
    cachedAudio: price(8),
    cachedImage: price(9),
    imageOutput: price(10),
    characters: price(11),
    seconds: price(12),
    searches: price(13),
    cacheWrite12h: price(14),
    webSearches: price(15),
    groundedPrompts: price(16),
    mapPrompts: price(17),
    containers: price(18),
    codeSeconds: price(19),
  }
}

/** The order of a price row's factors (`gateway_prices.factors`). Never reorder. */
export const STORED_FACTORS: readonly Factor[] = ['flex', 'priority', 'fast', 'us']

interface StoredPrices {
  readonly classes: readonly (string | null)[]
  readonly longAbove: number | null
  readonly longClasses: readonly (string | null)[] | null
  readonly factors: readonly (string | null)[] | null
}

/** Converts a price row to the prices that calls are billed by. */
export function toCallPrices(version: bigint, { classes, longAbove, longClasses, factors }: StoredPrices): ModelPrices {
  return {
    version: Number(version),
    ...toClassPrices(classes),
    longContext: longAbove === null || longClasses === null ? undefined : { aboveInputTokens: longAbove, prices: toClassPrices(longClasses) },
    ...(factors === null
      ? {}
      : { factors: Object.fromEntries(STORED_FACTORS.flatMap((name, at) => (factors[at] == null ? [] : [[name, BigInt(factors[at])]]))) }),
  }
}

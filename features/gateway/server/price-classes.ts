import type { ClassPrices } from './hot/deps.ts'

export type ClassName = keyof ClassPrices

/** The order of a price row's array (migrations 0011, 0025, 0028, 0044). Never reorder; older rows are shorter. */
export const CLASSES: readonly ClassName[] = [
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

/** A stored array as prices by class. */
export function classPrices(stored: readonly (string | null)[]): ClassPrices {
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

import { parseUsd, tokenCost, usd } from '#platform/shared/money.ts'
import type { LineKind } from './contract-usage.ts'

/** What a price class counts. Prices are per million of it. */
export type PriceUnit = 'token' | 'character' | 'second' | 'search'

const UNITS: Readonly<Partial<Record<LineKind, PriceUnit>>> = { characters: 'character', seconds: 'second', searches: 'search' }

export const unitOf = (kind: LineKind): PriceUnit => UNITS[kind] ?? 'token'

/** A price per million as decimal text, for a receipt: tokens and characters per million, seconds and searches for one, so that the line can be recomputed. */
export function linePrice(perMillion: string, unit: PriceUnit): string {
  return unit === 'token' || unit === 'character' ? perMillion : usd(tokenCost(1, parseUsd(perMillion)))
}

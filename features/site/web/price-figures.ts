import { countCommonPlaces } from '#platform/shared/show-money.ts'
import type { ModelRow } from '#features/gateway/contract.ts'
import { displayApproximateCny, displayUsd } from '#platform/web/money.tsx'
import { SHOWN_VENDORS } from '#features/gateway/web/door.ts'

export type PriceCurrency = 'usd' | 'cny'

/** 1050000 -> 1.05M, 400000 -> 400K. */
export function formatLength(tokens: number | null): string {
  if (!tokens) return '–'
  return tokens >= 1_000_000 ? `${String(Math.floor(tokens / 10_000) / 100)}M` : `${Math.round(tokens / 1000)}K`
}

/**
 * Formats a price with two places, more if the price has them, so that 0.075 stays 0.075; yuan prices are converted and have at most four.
 */
export function formatListPrice(price: string | null, unit: PriceCurrency): string {
  if (price === null) return '–'
  const places = Math.max(2, price.split('.')[1]?.length ?? 0)
  return unit === 'usd' ? displayUsd(price) : displayApproximateCny(price, Math.min(4, places))
}

/** Decimal places that all of these amounts need, at least four, so that lines shown with them add up. */
export function countPlaces(amounts: readonly string[]): number {
  return countCommonPlaces(amounts, 4)
}

/** Recommended models: active chat models without a successor or a retirement date, in the order of the price list. */
export function listCurrentModels(rows: readonly ModelRow[], vendor: string): ModelRow[] {
  return rows.filter((row) => row.vendor === vendor && row.kind === 'chat' && row.lifecycle === 'active' && !row.successor && !row.retiresOn)
}

/** A well-known model of a vendor, by default the second newest: the newest is often the most expensive. */
export function pickEverydayModel(rows: readonly ModelRow[], vendor: string): ModelRow | undefined {
  const models = listCurrentModels(rows, vendor)
  return models[SHOWN_VENDORS.find(({ id }) => id === vendor)?.everyday ?? 1] ?? models[0]
}

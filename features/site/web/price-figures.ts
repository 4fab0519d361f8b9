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

/** Two places, more where the price has them, so that 0.075 stays 0.075; yuan prices are converted and end after four. */
export function formatListPrice(price: string | null, unit: PriceCurrency): string {
  if (price === null) return '–'
  const places = Math.max(2, price.split('.')[1]?.length ?? 0)
  return unit === 'usd' ? displayUsd(price) : displayApproximateCny(price, Math.min(4, places))
}

/** Places that all of these amounts need, and at least four: lines shown with them add up on screen. */
export function countPlaces(amounts: readonly string[]): number {
  return countCommonPlaces(amounts, 4)
}

/** Models to begin with: they talk, they stay, and no newer one has taken their place. The order is the price list's. */
export function listCurrentModels(rows: readonly ModelRow[], vendor: string): ModelRow[] {
  return rows.filter((row) => row.vendor === vendor && row.kind === 'chat' && row.lifecycle === 'active' && !row.successor && !row.retiresOn)
}

/** A well-known model of a vendor, by default the second newest: the newest is often the most expensive. */
export function pickEverydayModel(rows: readonly ModelRow[], vendor: string): ModelRow | undefined {
  const models = listCurrentModels(rows, vendor)
  return models[SHOWN_VENDORS.find(({ id }) => id === vendor)?.everyday ?? 1] ?? models[0]
}

import { commonPlaces } from '#platform/shared/show-money.ts'
import type { ModelRow } from '#features/gateway/contract.ts'
import { cnyAbout, usdDisplay } from '#platform/web/money.tsx'
import { VENDORS } from '#features/gateway/web/door.ts'

export type Unit = 'usd' | 'cny'

/** 1050000 -> 1.05M, 400000 -> 400K. */
export function contextText(tokens: number | null): string {
  if (!tokens) return '–'
  return tokens >= 1_000_000 ? `${String(Math.floor(tokens / 10_000) / 100)}M` : `${Math.round(tokens / 1000)}K`
}

/** Two places, more where the price has them, so that 0.075 stays 0.075; yuan prices are converted and end after four. */
export function priceText(price: string | null, unit: Unit): string {
  if (price === null) return '–'
  const places = Math.max(2, price.split('.')[1]?.length ?? 0)
  return unit === 'usd' ? usdDisplay(price) : cnyAbout(price, Math.min(4, places))
}

/** Places that all of these amounts need, and at least four: lines shown with them add up on screen. */
export function placesFor(amounts: readonly string[]): number {
  return commonPlaces(amounts, 4)
}

/** Models to begin with: they talk, they stay, and no newer one has taken their place. The order is the price list's. */
export function currentModels(rows: readonly ModelRow[], vendor: string): ModelRow[] {
  return rows.filter((row) => row.vendor === vendor && row.kind === 'chat' && row.lifecycle === 'active' && !row.successor && !row.retiresOn)
}

/** A well-known model of a vendor, by default the second newest: the newest is often the most expensive. */
export function everydayModel(rows: readonly ModelRow[], vendor: string): ModelRow | undefined {
  const models = currentModels(rows, vendor)
  return models[VENDORS.find(({ id }) => id === vendor)?.everyday ?? 1] ?? models[0]
}

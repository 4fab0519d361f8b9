import { parseUsd } from '#platform/shared/money.ts'
import type { ModelRow } from '../../contract.ts'

export type PriceSort = 'default' | 'price' | 'context' | 'newest'
export interface PriceFilter {
  readonly text: string
  readonly vendor: string
  readonly capabilities: readonly string[]
  readonly sort: PriceSort
}

/** Normalizes text for search, ignoring case, spaces and separators: "gpt5.6sol" finds gpt-5.6-sol. */
function normalizeModelText(text: string): string {
  return text.toLowerCase().replace(/[\s_.·-]+/g, '')
}

export function matchesPriceFilter(row: ModelRow, filter: Pick<PriceFilter, 'text' | 'capabilities'>): boolean {
  const wanted = normalizeModelText(filter.text)
  const names = [row.modelValue, row.modelName, row.vendor, ...row.aliases]
  return (
    (!wanted || names.some((name) => normalizeModelText(name).includes(wanted))) &&
    filter.capabilities.every((capability) => row.capabilities.includes(capability))
  )
}

const SORT_ORDERS: Record<PriceSort, (a: ModelRow, b: ModelRow) => number> = {
  default: () => 0,
  price: (a, b) => compare(parseUsd(a.prices.usd.output), parseUsd(b.prices.usd.output)) || compare(parseUsd(a.prices.usd.input), parseUsd(b.prices.usd.input)),
  context: (a, b) => (b.contextTokens ?? 0) - (a.contextTokens ?? 0),
  newest: (a, b) => (b.releasedOn ?? '').localeCompare(a.releasedOn ?? ''),
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export function filterPriceList(rows: readonly ModelRow[], filter: PriceFilter): ModelRow[] {
  return rows.filter((row) => (!filter.vendor || row.vendor === filter.vendor) && matchesPriceFilter(row, filter)).sort(SORT_ORDERS[filter.sort])
}

/** Replaces list prices by the caller's own prices. */
export function applyOwnPrices(list: readonly ModelRow[], own: readonly ModelRow[]): readonly ModelRow[] {
  const byModel = new Map(own.map((row) => [row.modelValue, row]))
  return list.map((row) => byModel.get(row.modelValue) ?? row)
}

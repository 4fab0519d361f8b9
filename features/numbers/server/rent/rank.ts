import type { Nano } from '#platform/shared/money.ts'
import type { SupplierRecord } from '../data-suppliers.ts'

/** With fewer numbers than this a supplier counts as half good: unknown ones get their chance. */
const PRIOR = 4
/** Percent of numbers that got a message, that count as the same. */
const TIE_PERCENT = 10
/** So many broken tries in a row put a supplier last for five minutes. */
const MAX_FAILURES = 3

export interface PricedSupplier {
  readonly name: string
  readonly cost: Nano
}

/** Ranks suppliers by success rate; among about equally good ones, the cheapest comes first. Suppliers with recent failures come last. */
export function rankSuppliers<T extends PricedSupplier>(offers: readonly T[], standings: readonly SupplierRecord[]): T[] {
  const of = (name: string) => standings.find(({ supplier }) => supplier === name)
  const rate = (name: string): number => {
    const { rented = 0, received = 0 } = of(name) ?? {}
    return ((received + PRIOR / 2) / (rented + PRIOR)) * 100
  }
  const best = Math.max(...offers.map(({ name }) => rate(name)))
  const place = ({ name }: T): number => ((of(name)?.broken ?? 0) >= MAX_FAILURES ? 1000 : Math.floor(Math.max(0, best - rate(name)) / TIE_PERCENT))
  return offers.toSorted((a, b) => place(a) - place(b) || (a.cost < b.cost ? -1 : a.cost > b.cost ? 1 : 0))
}

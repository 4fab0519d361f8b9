import type { Nano } from '#platform/shared/money.ts'
import type { SupplierRecord } from '../data-suppliers.ts'

/** Pseudo-count of a success rate of one half, so that suppliers with few numbers are tried. */
const PRIOR = 4
/** Difference of success rates in percent within which suppliers count as equal. */
const TIE_PERCENT = 10
/** Consecutive failures after which a supplier comes last for five minutes. */
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

import type { Nano } from '#platform/shared/money.ts'
import type { Standing } from '../data-suppliers.ts'

/** With fewer numbers than this a supplier counts as half good: unknown ones get their chance. */
const PRIOR = 4
/** Percent of numbers that got a message, that count as the same. */
const CLOSE = 10
/** So many broken tries in a row put a supplier last for five minutes. */
const BROKEN = 3

export interface Priced {
  readonly name: string
  readonly cost: Nano
}

/** Ranks suppliers by success rate; among about equally good ones, the cheapest comes first. Suppliers with recent failures come last. */
export function rankSuppliers<T extends Priced>(offers: readonly T[], standings: readonly Standing[]): T[] {
  const of = (name: string) => standings.find(({ supplier }) => supplier === name)
  const rate = (name: string): number => {
    const { rented = 0, received = 0 } = of(name) ?? {}
    return ((received + PRIOR / 2) / (rented + PRIOR)) * 100
  }
  const best = Math.max(...offers.map(({ name }) => rate(name)))
  const place = ({ name }: T): number => ((of(name)?.broken ?? 0) >= BROKEN ? 1000 : Math.floor(Math.max(0, best - rate(name)) / CLOSE))
  return offers.toSorted((a, b) => place(a) - place(b) || (a.cost < b.cost ? -1 : a.cost > b.cost ? 1 : 0))
}

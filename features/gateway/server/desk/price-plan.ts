import { fail } from '#platform/shared/errors.ts'
import { computeMarginBasisPoints, parseUsd, sumNano, computeTokenCost } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { PRICE_CLASSES } from '../catalogue/price-classes.ts'
import type { ClassName } from '../catalogue/price-classes.ts'
import { toKindNumber } from '../journal/lines.ts'
import type { ClassUse, PriceRow } from './data-prices.ts'

/** Price book arithmetic: the classes that change, their margin over the vendor's list price, and the effect of a change on recent use. */

export type NewPrices = Readonly<Partial<Record<ClassName, string>>>
export interface ClassLine {
  readonly name: ClassName
  readonly now: Nano
  readonly then: Nano
  /** The vendor's list price; undefined if the list lacks the class. */
  readonly vendor: Nano | undefined
}

const findClassPrice = (row: PriceRow | undefined, name: ClassName): Nano | undefined => {
  const stored = row?.classes[PRICE_CLASSES.indexOf(name)]
  return stored == null ? undefined : BigInt(stored)
}

/** All classes of the model with their prices after the change. Throws BAD_INPUT for a class that the model does not have. */
export function buildClassLines(now: PriceRow, vendor: PriceRow | undefined, wish: NewPrices): ClassLine[] {
  for (const name of Object.keys(wish) as ClassName[])
    if (findClassPrice(now, name) === undefined) fail('BAD_INPUT', { fields: [`changes.${now.modelId}.${name}`] })
  return PRICE_CLASSES.flatMap((name) => {
    const before = findClassPrice(now, name)
    if (before === undefined) return []
    const wished = wish[name]
    return [{ name, now: before, then: wished === undefined ? before : parseUsd(wished), vendor: findClassPrice(vendor, name) }]
  })
}

/** Merges the requested prices into the stored array. */
export function applyNewPrices(now: PriceRow, wish: NewPrices): (bigint | null)[] {
  return now.classes.map((stored, at) => {
    const wished = wish[PRICE_CLASSES[at]!]
    return wished !== undefined ? parseUsd(wished) : stored === null ? null : BigInt(stored)
  })
}

export const isBelowVendor = ({ then, vendor }: Pick<ClassLine, 'then' | 'vendor'>): boolean => vendor !== undefined && then < vendor

/** Margin of a price over the vendor's, in basis points of the price; null if there is nothing to compare. */
export function computeMarginBp(price: Nano, vendor: Nano | undefined): number | null {
  return vendor === undefined || price <= 0n ? null : computeMarginBasisPoints(price, vendor)
}

/** Cost of the sampled use at the current, planned and vendor prices; their ratio projects the change onto the recent total. */
export function computePriceEffect(lines: readonly ClassLine[], uses: readonly ClassUse[]): { now: Nano; then: Nano; vendor: Nano } {
  const of = (pick: (line: ClassLine) => Nano) =>
    sumNano(
      lines.flatMap((line) => {
        const numbers = line.name === 'output' ? [toKindNumber('output'), toKindNumber('reasoning')] : [toKindNumber(line.name)]
        return uses.filter(({ kind }) => numbers.includes(kind)).map(({ tokens }) => computeTokenCost(tokens, pick(line)))
      }),
    )
  return { now: of(({ now }) => now), then: of(({ then }) => then), vendor: of(({ vendor = 0n }) => vendor) }
}

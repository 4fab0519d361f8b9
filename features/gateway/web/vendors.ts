import type { Series } from '#ui/chart/series.ts'
import { VENDORS } from '#ui/vendors.ts'

/** Vendors whose models talk are always in a chart's legend, others where there is something of theirs. */
export function vendorSeries(other: string, used: ReadonlySet<string>): Series[] {
  const known: Series[] = VENDORS.filter(({ id, talks }) => talks || used.has(id)).map(({ id, label, color }) => ({ key: id, label, color }))
  return [...used].every(isKnownVendor) ? known : [...known, { key: 'other', label: other, color: 8 }]
}

export const vendorLabel = (id: string, other: string): string => VENDORS.find((vendor) => vendor.id === id)?.label ?? other

export const isKnownVendor = (id: string) => VENDORS.some((vendor) => vendor.id === id)

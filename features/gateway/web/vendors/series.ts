import type { Series } from '#ui/chart/series.ts'
import { findShownVendor, SHOWN_VENDORS } from './shown.ts'

/** Series of a chart by vendor. Chat vendors are always in the legend, others only if they have values. */
export function buildVendorSeries(other: string, used: ReadonlySet<string>): Series[] {
  const known: Series[] = SHOWN_VENDORS.filter(({ id, talks }) => talks || used.has(id)).map(({ id, label, color }) => ({ key: id, label, color }))
  return [...used].every((id) => findShownVendor(id)) ? known : [...known, { key: 'other', label: other, color: 8 }]
}

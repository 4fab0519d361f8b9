import type { Series } from '#ui/bar-chart.tsx'

/** How the three vendors are called and coloured, everywhere the same. */
export const VENDORS = [
  { id: 'openai', label: 'OpenAI', color: 1 },
  { id: 'anthropic', label: 'Claude', color: 2 },
  { id: 'google', label: 'Gemini', color: 3 },
] as const

export function vendorSeries(other: string, hasOther: boolean): Series[] {
  const known: Series[] = VENDORS.map(({ id, label, color }) => ({ key: id, label, color }))
  return hasOther ? [...known, { key: 'other', label: other, color: 8 }] : known
}

export const isKnownVendor = (id: string) => VENDORS.some((vendor) => vendor.id === id)

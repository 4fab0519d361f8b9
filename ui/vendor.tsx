import { VENDORS } from './vendors.ts'

const dots = { 1: 'bg-chart-1', 2: 'bg-chart-2', 3: 'bg-chart-3', 4: 'bg-chart-4', 8: 'bg-chart-8' }

/** The chart colour of a vendor as the price list names it. */
export function vendorColor(vendor: string): 1 | 2 | 3 | 4 | 8 {
  return VENDORS.find(({ id }) => id === vendor)?.color ?? 8
}

export function VendorDot({ vendor, className = '' }: { readonly vendor: string; readonly className?: string }) {
  return <span className={`inline-block size-2 shrink-0 rounded-full ${dots[vendorColor(vendor)]} ${className}`} aria-hidden="true" />
}

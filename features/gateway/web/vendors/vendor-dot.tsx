import { Dot } from '#ui/badge.tsx'
import { getVendorColor } from './shown.ts'

export function VendorDot({ vendor, className }: { readonly vendor: string; readonly className?: string }) {
  return <Dot color={getVendorColor(vendor)} className={className} />
}

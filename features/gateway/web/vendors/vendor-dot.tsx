import { Dot } from '#ui/dot.tsx'
import { vendorColor } from './shown.ts'

export function VendorDot({ vendor, className }: { readonly vendor: string; readonly className?: string }) {
  return <Dot color={vendorColor(vendor)} className={className} />
}

import type { ShownVendor } from '../../contract-vendors.ts'

const found = import.meta.glob<ShownVendor>('../../server/vendors/*/shown.ts', { eager: true, import: 'shown' })

/** How vendors are called and coloured, everywhere the same and in the order of their colours. */
export const VENDORS: readonly ShownVendor[] = Object.values(found).sort((a, b) => a.color - b.color)

/** Vendors of models that talk, at least one: what a landing page speaks of. */
export const TALKING = VENDORS.filter(({ talks }) => talks) as [ShownVendor, ...ShownVendor[]]

export const vendorOf = (id: string): ShownVendor | undefined => VENDORS.find((vendor) => vendor.id === id)

/** The chart colour of a vendor as the price list names it. */
export const vendorColor = (id: string): ShownVendor['color'] | 8 => vendorOf(id)?.color ?? 8

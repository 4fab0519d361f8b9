import type { ShownVendor } from '../../contract-vendors.ts'

const shownModules = import.meta.glob<ShownVendor>('../../server/vendors/*/shown.ts', { eager: true, import: 'shown' })

/** How vendors are called and coloured, everywhere the same and in the order of their colours. */
export const SHOWN_VENDORS: readonly ShownVendor[] = Object.values(shownModules).sort((a, b) => a.color - b.color)

/** Vendors of models that talk, at least one: what a landing page speaks of. */
export const CHAT_VENDORS = SHOWN_VENDORS.filter(({ talks }) => talks) as [ShownVendor, ...ShownVendor[]]

export const findShownVendor = (id: string): ShownVendor | undefined => SHOWN_VENDORS.find((vendor) => vendor.id === id)

/** The chart colour of a vendor as the price list names it. */
export const getVendorColor = (id: string): ShownVendor['color'] | 8 => findShownVendor(id)?.color ?? 8

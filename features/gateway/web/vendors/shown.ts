import type { ShownVendor } from '../../contract-vendors.ts'

const shownModules = import.meta.glob<ShownVendor>('../../server/vendors/*/shown.ts', { eager: true, import: 'shown' })

/** All vendors with their names and colours, sorted by colour. */
export const SHOWN_VENDORS: readonly ShownVendor[] = Object.values(shownModules).sort((a, b) => a.color - b.color)

/** Chat vendors, at least one, for the landing page. */
export const CHAT_VENDORS = SHOWN_VENDORS.filter(({ talks }) => talks) as [ShownVendor, ...ShownVendor[]]

export const findShownVendor = (id: string): ShownVendor | undefined => SHOWN_VENDORS.find((vendor) => vendor.id === id)

/** Chart colour of a vendor by its id in the price list. */
export const getVendorColor = (id: string): ShownVendor['color'] | 8 => findShownVendor(id)?.color ?? 8

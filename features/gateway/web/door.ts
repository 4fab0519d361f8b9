/** Vendor facts for pages of other features. */
export { TALKING, vendorColor, VENDORS } from './vendors/shown.ts'

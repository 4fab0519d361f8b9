/** What pages of other features know of vendors. */
export { TALKING, vendorColor, VENDORS } from './vendors/shown.ts'

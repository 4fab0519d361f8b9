/** Vendor facts for pages of other features. */
export { CHAT_VENDORS, getVendorColor, SHOWN_VENDORS } from './vendors/shown.ts'

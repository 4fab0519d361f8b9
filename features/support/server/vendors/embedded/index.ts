import type { WidgetVendor } from '../port.ts'

/** Our own conversation: part of the pages, no script, no other host. The server knows the caller by their session. */
export const embedded: WidgetVendor = {
  id: 'embedded',
  needsContact: false,
  available: () => true,
  sources: () => ({}),
  boot: () => ({ script: '', settings: {}, user: null }),
}

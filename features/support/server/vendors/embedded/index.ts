import type { WidgetVendor } from '../port.ts'

/** Our own conversation: part of the pages, without a script or another host. The session identifies the caller. */
export const embedded: WidgetVendor = {
  id: 'embedded',
  needsContact: false,
  available: () => true,
  sources: () => ({}),
  boot: () => ({ script: '', settings: {}, user: null }),
}

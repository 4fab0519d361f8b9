import { openSupport } from '#platform/web/state/support.ts'

/** Opens the support chat, the quickest way to reach a person, with the order number. */
export function contactSupport(orderNo?: string): void {
  openSupport(orderNo ? { orderNo } : {})
}

import { openSupport } from '#platform/web/state/support.ts'

/** The quickest way to a person, with the order named. */
export function contactSupport(orderNo?: string): void {
  openSupport(orderNo ? { orderNo } : {})
}

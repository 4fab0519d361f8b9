/** Payments' verbs for other features. */
export { rateNow } from './offer/rate-now.ts'
export { rechargeFacts } from './offer/recharge-facts.ts'
export { registerOrderKind } from './kinds/index.ts'
export type { Bounds, OrderKind, SoldOrder, Wish } from './kinds/port.ts'
export { abandonOrder, completeOrder } from './orders/deliver-order.ts'

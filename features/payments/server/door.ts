/** Payments' verbs for other features. */
export { rateNow } from './rate-now.ts'
export { rechargeFacts } from './recharge-facts.ts'
export { registerOrderKind } from './kinds/index.ts'
export type { Bounds, OrderKind, SoldOrder, Wish } from './kinds/port.ts'
export { abandonOrder, completeOrder } from './verbs/deliver-order.ts'

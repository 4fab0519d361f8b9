/** Payments' verbs for other features. */
export { BALANCE_CHANNEL, ORDER_TYPE } from '../words.ts'
export { rateNow } from './offer/rate-now.ts'
export { rechargeFacts } from './offer/recharge-facts.ts'
export { registerOrderKind } from './kinds/index.ts'
export type { Bounds, OrderKind, SoldOrder, Wish } from './kinds/port.ts'
export { abandonOrder, completeOrder } from './orders/deliver-order.ts'
export { paidOrders } from './orders/paid-orders.ts'
export type { PaidOrder } from './orders/paid-orders.ts'
export { orderReceipt } from './paper/verbs/order-receipt.ts'

/** Pen and strokes of the papers. */
export const paperKit = () => import('./paper/kit.ts')
export type { Pen } from './paper/kit.ts'

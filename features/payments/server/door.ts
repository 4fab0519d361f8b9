/** Payments' verbs for other features. */
export { BALANCE_CHANNEL, ORDER_TYPE } from '../words.ts'
export { rateNow } from './offer/rate-now.ts'
export { rechargeFacts } from './offer/recharge-facts.ts'
export { registerFirstDiscount } from './kinds/discounts.ts'
export type { FirstDiscount } from './kinds/discounts.ts'
export { registerOrderKind } from './kinds/index.ts'
export type { Bounds, OrderKind, SoldOrder, Wish } from './kinds/port.ts'
export { registerRewardPurse } from './withdrawals/purses.ts'
export type { PursedWithdrawal, RewardPurse } from './withdrawals/purses.ts'
export type { Payee } from './withdrawals/start-withdrawal.ts'
export { withdrawReward } from './withdrawals/verbs/withdraw-reward.ts'
export { cashOf } from './data-cash.ts'
export type { Cash } from './data-cash.ts'
export { abandonOrder, completeOrder, lockOrderNo, undeliverOrder } from './orders/deliver-order.ts'
export { paidOrders } from './orders/paid-orders.ts'
export type { PaidOrder } from './orders/paid-orders.ts'
export { isClosedNow } from './paying/maintain.ts'
export { orderReceipt } from './paper/verbs/order-receipt.ts'

/** Pen and strokes of the papers. */
export const paperKit = () => import('./paper/kit.ts')
export type { Pen } from './paper/kit.ts'

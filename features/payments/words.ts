/** API numbers (product.md 2.3), under the names that the code uses. */
export const ORDER_TYPE = {
  RECHARGE: 0,
  OPEN_ACCOUNT: 1,
  MULTIPLE_CARD: 2,
  REMOTE: 3,
  SMS: 4,
  PROXY: 5,
  OPENAI_ACCOUNT: 6,
  RENEW: 7,
  WILDCARD_BROWSER: 8,
  FLEX: 9,
  OPENAI_API: 10,
  EMAIL: 11,
  CARD_UNFREEZE: 12,
  CARD_OUTSTANDING: 13,
  CARD_RISK_CHANGE: 14,
  CARD_RENEWAL: 15,
} as const

/** Type of an order in the record: 1 a top-up of the balance, 3 a purchase. Withdrawals are 2. */
export const toRecordType = (orderType: number): 1 | 3 => (orderType === ORDER_TYPE.OPENAI_API ? 1 : 3)

/** Channels have the numbers 1 to 25 (`PAY_CHANNELS`), which orders store. */
export const CHANNEL_TYPES = 25

/** Device that opens a trade: QRCODE is a desktop, H5 a phone. The first clients' names, unrelated to the form `qr`. */
export const TRADE_FROM = ['QRCODE', 'H5'] as const
export type TradeFrom = (typeof TRADE_FROM)[number]

/** Payment forms: scan a code, redirect to the channel's page, or post a form to it. */
export const PAY_FORMS = ['qr', 'redirect', 'form'] as const
export type PayForm = (typeof PAY_FORMS)[number]

/** Order states; the edges between them are rows of payments_order_edges, enforced by the database. */
export const ORDER_STATES = [
  'created',
  'paying',
  'unknown',
  'paid',
  'fulfilled',
  'expired',
  'cancelled',
  'paid_late',
  'integrity_failure',
  'refunding',
  'partially_refunded',
  'refunded',
  'disputed',
] as const
export type OrderState = (typeof ORDER_STATES)[number]

/** States in which the order can be opened at a channel. */
export const PAYABLE: readonly OrderState[] = ['created', 'paying', 'unknown']

/** States of a paid order, whatever happened to the money afterwards. */
export const PAID: readonly OrderState[] = ['paid', 'fulfilled', 'paid_late', 'refunding', 'partially_refunded', 'refunded', 'disputed']

/** 0 not paid, 1 success, 2 fail. */
export function toPayStatus(state: OrderState): 0 | 1 | 2 {
  if (PAYABLE.includes(state)) return 0
  return PAID.includes(state) ? 1 : 2
}

/** Groups of states that filter the order list. */
export const ORDER_FILTERS = ['open', 'paid', 'over', 'refund', 'problem'] as const
export type OrderFilter = (typeof ORDER_FILTERS)[number]
export const FILTER_STATES: Readonly<Record<OrderFilter, readonly OrderState[]>> = {
  open: PAYABLE,
  paid: ['paid', 'fulfilled', 'paid_late'],
  over: ['expired', 'cancelled'],
  refund: ['refunding', 'partially_refunded', 'refunded'],
  problem: ['integrity_failure', 'disputed'],
}

/** Events of an order's timeline. */
export const ORDER_EVENTS = [
  'created',
  'opened',
  'doubted',
  'found',
  'paid',
  'paid_late',
  'paid_again',
  'turned_away',
  'returning',
  'fulfilled',
  'impossible',
  'mismatch',
  'resolved',
  'expired',
  'cancelled',
  'refund_requested',
  'refund_approved',
  'refund_rejected',
  'refund_sent',
  'refunded',
  'refund_failed',
  'refund_reversed',
  'disputed',
  'dispute_won',
  'dispute_lost',
  'repaired',
] as const
export type OrderEvent = (typeof ORDER_EVENTS)[number]

/**
 * States of a refund: requested, approved, sent to the channel, and final. `unknown`: the channel did not respond, so it is queried again.
 */
export const REFUND_STATES = ['requested', 'approved', 'dispatched', 'unknown', 'succeeded', 'failed', 'rejected', 'reversed'] as const
export type RefundState = (typeof REFUND_STATES)[number]
/** States in which the money may have reached the payer or be in transit: they count against the captured amount (money.md I8). */
export const LIVE_REFUNDS: readonly RefundState[] = ['requested', 'approved', 'dispatched', 'unknown', 'succeeded']

/** The balance as a payment method (product.md 2.3). */
export const BALANCE_CHANNEL_TYPE = 5

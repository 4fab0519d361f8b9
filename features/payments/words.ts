/** The specification's numbers (specification 2, section 3), under the names that this code uses. */
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

/** Providers are numbered 1 to 25. */
export const CHANNEL_TYPES = 25

export const TRADE_FROM = ['QRCODE', 'H5'] as const
export type TradeFrom = (typeof TRADE_FROM)[number]

/** How the payer pays: scans a code, leaves for the channel's page, or posts a form to it. */
export const PAY_FORMS = ['qr', 'redirect', 'form'] as const
export type PayForm = (typeof PAY_FORMS)[number]

/** Order states; the edges between them are rows of payments_order_edges, enforced by the database. */
export const ORDER_STATES = ['created', 'paying', 'unknown', 'paid', 'fulfilled', 'expired', 'cancelled', 'paid_late', 'integrity_failure'] as const
export type OrderState = (typeof ORDER_STATES)[number]

/** States in which the order can be opened at a channel. */
export const PAYABLE: readonly OrderState[] = ['created', 'paying', 'unknown']

/** 0 not paid, 1 success, 2 fail. */
export function payStatusOf(state: OrderState): 0 | 1 | 2 {
  if (PAYABLE.includes(state)) return 0
  return state === 'paid' || state === 'fulfilled' || state === 'paid_late' ? 1 : 2
}

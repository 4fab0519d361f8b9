/** Numbers on the wire as payments' contract has them: an order that recharges a card, and the channel that is the balance. */
export const RECHARGE_ORDER = 0
export const BALANCE_CHANNEL_NUMBER = 5

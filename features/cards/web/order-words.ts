/** Numbers on the wire from the payments contract: the order type of a recharge, and the channel of the balance. */
export const RECHARGE_ORDER = 0
export const BALANCE_CHANNEL_NUMBER = 5

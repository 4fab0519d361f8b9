/** States of a user's auto recharge. `attention`: off until the user has seen why. `stopped`: can still be undone. */
export const AUTO_STATES = ['off', 'signing', 'active', 'attention', 'stopped'] as const
export type AutoState = (typeof AUTO_STATES)[number]

export const ATTENTIONS = ['declined', 'authentication', 'ended', 'mismatch', 'disputed'] as const
export type Attention = (typeof ATTENTIONS)[number]

/**
 * States of an automatic charge; transitions are rows of payments_auto_charge_edges. `lapsed`: the channel never confirmed that it
 * took the charge.
 */
export const CHARGE_STATES = ['announced', 'charging', 'paid', 'refused', 'lapsed', 'skipped', 'mismatch'] as const
export type ChargeState = (typeof CHARGE_STATES)[number]

export const CHARGE_REFUSALS = ['declined', 'authentication', 'ended'] as const

/** The words that a user agrees to (`auto_consent_*`) have this version. Change it with them: what was agreed to is kept by it. */
export const CONSENT_VERSION = '2026-11'

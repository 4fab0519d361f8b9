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

/** Version of the texts that a user agrees to (`auto_consent_*`). Change it with them: consent is stored with its version. */
export const CONSENT_VERSION = '2026-11'

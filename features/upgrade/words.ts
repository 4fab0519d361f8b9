/** State of an order. `draft`: not submitted. `placed`: sent to a supplier or on its way to the desk. */
export const UPGRADE_STATES = ['draft', 'placed', 'queued', 'captcha', 'link_expired', 'done', 'failed'] as const

/** Queue states, in which the order waits for an operator or a supplier. */
export const UPGRADE_QUEUE_STATES = ['placed', 'queued', 'captcha'] as const

/** Causes of failure. Each one releases the hold. */
export const UPGRADE_CAUSES = [
  ...(['risk', 'captcha_failed', 'card_rejected', 'method_failed', 'too_many', 'mailbox', 'card_type', 'short', 'in_app', 'link_wrong'] as const),
  ...(['link_late', 'not_shown', 'refused', 'too_late', 'given_up'] as const),
] as const
export type UpgradeCause = (typeof UPGRADE_CAUSES)[number]

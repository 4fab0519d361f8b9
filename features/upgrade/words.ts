/** Where an order stands. `draft`: being filled in. `placed`: a supplier is asked, or the desk. */
export const UPGRADE_STATES = ['draft', 'placed', 'queued', 'captcha', 'link_expired', 'done', 'failed'] as const

/** States of the queue, in which somebody or something is awaited. */
export const IN_QUEUE = ['placed', 'queued', 'captcha'] as const

/** Why it ended badly. The money goes back by every one of them. */
export const UPGRADE_CAUSES = [
  ...(['risk', 'captcha_failed', 'card_rejected', 'method_failed', 'too_many', 'mailbox', 'card_type', 'short', 'in_app', 'link_wrong'] as const),
  ...(['link_late', 'not_shown', 'refused', 'too_late', 'given_up'] as const),
] as const
export type UpgradeCause = (typeof UPGRADE_CAUSES)[number]

import type { upgradeTexts } from './texts.ts'
import type { UPGRADE_STATES, UpgradeCause } from './words.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

type Key = TextKeyOf<typeof upgradeTexts>
type State = (typeof UPGRADE_STATES)[number]

/** Text of each cause of a failure. */
export const UPGRADE_CAUSE_TEXT = {
  refused: 'cause_refused',
  short: 'cause_short',
  risk: 'cause_risk',
  mailbox: 'cause_mailbox',
  too_late: 'cause_too_late',
  captcha_failed: 'cause_captcha_failed',
  card_rejected: 'cause_card_rejected',
  method_failed: 'cause_method_failed',
  too_many: 'cause_too_many',
  card_type: 'cause_card_type',
  in_app: 'cause_in_app',
  link_wrong: 'cause_link_wrong',
  link_late: 'cause_link_late',
  not_shown: 'cause_not_shown',
  given_up: 'cause_given_up',
} as const satisfies Record<UpgradeCause, Key>

/** Text of the way out after each failure. */
export const UPGRADE_WAY_TEXT = {
  refused: 'way_refused',
  short: 'way_short',
  risk: 'way_risk',
  mailbox: 'way_mailbox',
  too_late: 'way_too_late',
  captcha_failed: 'way_captcha_failed',
  card_rejected: 'way_card_rejected',
  method_failed: 'way_method_failed',
  too_many: 'way_too_many',
  card_type: 'way_card_type',
  in_app: 'way_in_app',
  link_wrong: 'way_link_wrong',
  link_late: 'way_link_late',
  not_shown: 'way_not_shown',
  given_up: 'way_given_up',
} as const satisfies Record<UpgradeCause, Key>

/** Heading by state; a draft uses the page's own. */
export const UPGRADE_HEAD_TEXT = {
  placed: 'head_placed',
  queued: 'head_queued',
  captcha: 'head_captcha',
  link_expired: 'head_link_expired',
  done: 'head_done',
  failed: 'head_failed',
} as const satisfies Record<Exclude<State, 'draft'>, Key>

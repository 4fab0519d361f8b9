/** The two card types; their uses are in the price book and in `cards.types`. */
export const CARD_TYPES = ['standard', 'pro'] as const
export type CardType = (typeof CARD_TYPES)[number]

/** States of a card; transitions are rows of cards_card_edges, enforced by the database. */
export const CARD_STATES = ['requested', 'opening', 'failed', 'active', 'frozen', 'closing', 'closed'] as const
export type CardState = (typeof CARD_STATES)[number]

/** Actor of a freeze. A user unfreezes their own; risk's needs an order of type 12; the issuer's only the issuer lifts. */
export const FREEZERS = ['user', 'risk', 'issuer'] as const
export type Freezer = (typeof FREEZERS)[number]

export const CLOSE_REASONS = ['refusals', 'refusal_rate', 'lost', 'expired', 'replaced', 'user', 'account'] as const
export type CloseReason = (typeof CLOSE_REASONS)[number]

/**
 * Reasons of a failed opening, for the texts `open_reason_<name>`. `issuer_away`: no issuer was reachable before the deadline;
 * `data_missing`: the holder's data were deleted meanwhile.
 */
export const OPEN_REASONS = [
  'country',
  'phone',
  'name',
  'address',
  'document',
  'declined',
  'duplicate',
  'data_missing',
  'issuer_away',
  'no_answer',
  'withdrawn',
  'other',
] as const
export type OpenReason = (typeof OPEN_REASONS)[number]

/** How long an opening has taken: as promised (10 minutes), longer, or over a day. */
export const OPENING_PACES = ['normal', 'slow', 'operators'] as const
export type OpeningPace = (typeof OPENING_PACES)[number]

/**
 * After a failed opening. `reopen`: the same order again, for nothing; `again`: a new order, another issuer takes the holder; `correct`: the
 * data first; `ask`: no connected issuer takes the holder.
 */
export const FAILURE_STEPS = ['reopen', 'again', 'correct', 'ask'] as const
export type FailureStep = (typeof FAILURE_STEPS)[number]

/** 0 not opened, 1 opening, 2 submitted to the issuer, 3 opened, 4 failed, 5 holder's data saved. */
export const OPENING_STATUS = { NONE: 0, OPENING: 1, SUBMITTED: 2, OPENED: 3, FAILED: 4, HOLDER_SAVED: 5 } as const

/** Kinds of rows in a card's bills. */
export const BILL_KINDS = [
  'recharge',
  'activation',
  'withdrawal',
  'purchase',
  'verification',
  'refund',
  'refund_reversal',
  'dispute_credit',
  'dispute_lost',
  'fee_abroad',
  'fee_refund',
  'fee_reversal',
  'settled_debt',
  'moved_in',
  'moved_out',
  'returned',
  'kept',
] as const
export type BillKind = (typeof BILL_KINDS)[number]

/** Payment made (held), done, failed; `reversed`: released by the merchant. */
export const BILL_STATES = ['processing', 'success', 'fail', 'reversed'] as const
export type BillState = (typeof BILL_STATES)[number]

export const DISPUTE_REASONS = ['canceled', 'duplicate', 'fraudulent', 'not_received', 'not_as_described', 'other'] as const
export const DISPUTE_STATES = ['draft', 'submitted', 'won', 'lost', 'expired', 'refused'] as const

/** Card programmes by their number on the wire; clients know them as card platforms. New cards are opened under QBIT_BUDGET and CORPAY only. */
export const CARD_PLATFORMS = { QBIT: 1, PINGPONG: 2, EASYPAY: 3, QBIT_BUDGET: 4, PHOTON: 6, CORPAY: 7 } as const
export type CardPlatform = (typeof CARD_PLATFORMS)[keyof typeof CARD_PLATFORMS]
export const OPEN_PLATFORMS: readonly CardPlatform[] = [CARD_PLATFORMS.QBIT_BUDGET, CARD_PLATFORMS.CORPAY]

/** Periods of card bills by their number on the wire. */
export const PERIOD_TYPES = { DAY: 0, WEEK: 1, MONTH: 2 } as const
export type PeriodType = (typeof PERIOD_TYPES)[keyof typeof PERIOD_TYPES]

export const PAYMENTS_STATE_TEXT = {
  expired: 'state_expired',
  unknown: 'state_unknown',
  refunded: 'state_refunded',
  disputed: 'state_disputed',
  paid: 'state_paid',
  cancelled: 'state_cancelled',
  created: 'state_created',
  paying: 'state_paying',
  fulfilled: 'state_fulfilled',
  paid_late: 'state_paid_late',
  integrity_failure: 'state_integrity_failure',
  refunding: 'state_refunding',
  partially_refunded: 'state_partially_refunded',
} as const

export const PAYMENTS_ABOUT_TEXT = { over_expired: 'over_expired_about', over_cancelled: 'over_cancelled_about', over_mismatch: 'over_mismatch_about' } as const

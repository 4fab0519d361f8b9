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

export const PAYMENTS_METHOD_TEXT = {
  0: 'method_0',
  1: 'method_1',
  2: 'method_2',
  3: 'method_3',
  4: 'method_4',
  5: 'method_5',
  closed: 'method_closed',
} as const

export const PAYMENTS_ABOUT_TEXT = { over_expired: 'over_expired_about', over_cancelled: 'over_cancelled_about', over_mismatch: 'over_mismatch_about' } as const

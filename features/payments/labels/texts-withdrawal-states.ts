import type { PaymentTextKey } from '../texts.ts'
import type { WithdrawTextKey } from '../texts-withdraw.ts'
import type { WithdrawalState } from '../words-out.ts'

/** Text key of each withdrawal state, in `paymentTexts`. */
export const WITHDRAWAL_STATE_TEXT = {
  requested: 'withdraw_state_requested',
  approving: 'withdraw_state_approving',
  approved: 'withdraw_state_approved',
  in_transit: 'withdraw_state_in_transit',
  paid: 'withdraw_state_paid',
  failed: 'withdraw_state_failed',
  returned: 'withdraw_state_returned',
  rejected: 'withdraw_state_rejected',
  cancelled: 'withdraw_state_cancelled',
} as const satisfies Record<WithdrawalState, PaymentTextKey>

/** Explanation of a state for the customer, in `withdrawTexts`. A paid withdrawal lists the ways its money arrived instead. */
export const WITHDRAWAL_ABOUT_TEXT = {
  requested: 'w_about_requested',
  approving: 'w_about_approving',
  approved: 'w_about_approved',
  in_transit: 'w_about_in_transit',
  failed: 'w_about_failed',
  returned: 'w_about_returned',
  rejected: 'w_about_rejected',
  cancelled: 'w_about_cancelled',
} as const satisfies Record<Exclude<WithdrawalState, 'paid'>, WithdrawTextKey>

/** Text key of each failure reason of a withdrawal, in `paymentTexts`; the contract carries the reason as plain text. */
export const WITHDRAWAL_REASON_TEXT = {
  account: 'withdraw_reason_account',
  name: 'withdraw_reason_name',
  limit: 'withdraw_reason_limit',
  refused: 'withdraw_reason_refused',
  away: 'withdraw_reason_away',
  returned: 'withdraw_reason_returned',
  rejected: 'withdraw_reason_rejected',
  payee: 'withdraw_reason_payee',
  debt: 'withdraw_reason_debt',
  cancelled: 'withdraw_reason_cancelled',
} as const satisfies Record<string, PaymentTextKey>

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

/** Withdrawals: the edges between the states are rows of payments_withdrawal_edges, enforced by the database. */
export const WITHDRAWAL_STATES = ['requested', 'approving', 'approved', 'in_transit', 'paid', 'failed', 'returned', 'rejected', 'cancelled'] as const
export type WithdrawalState = (typeof WITHDRAWAL_STATES)[number]

/** Final states, although `paid` may still become `returned`. */
export const WITHDRAWAL_OVER: readonly WithdrawalState[] = ['paid', 'failed', 'returned', 'rejected', 'cancelled']

/** In progress, success, failed (product.md 2.3). */
export function toWithdrawStatus(state: WithdrawalState): 0 | 1 | 2 {
  if (state === 'paid') return 1
  return WITHDRAWAL_OVER.includes(state) ? 2 : 0
}

/** Causes for which an operator voids an invoice. */
export const VOID_CAUSES = ['wrongDetails', 'customerAsked', 'duplicate', 'legal'] as const
export type VoidCause = (typeof VOID_CAUSES)[number]

/** States of a request to the invoice desk, and reasons for its refusal. */
export const INVOICE_REQUEST_STATES = ['open', 'issued', 'refused', 'withdrawn'] as const
export const REFUSE_CAUSES = ['unclear', 'notTheirs', 'taxInvoice', 'nothingPaid'] as const
export type RefuseCause = (typeof REFUSE_CAUSES)[number]

export const PAPER_KINDS = ['receipt', 'invoice'] as const
export type PaperKind = (typeof PAPER_KINDS)[number]

export { isIdentityNumber } from '#platform/shared/identity-number.ts'

/** Name as on an identity card: Chinese characters with the dot of transcribed names, or Latin letters with blanks. */
export const REAL_NAME = /^(?:\p{Script=Han}(?:[\p{Script=Han}·]{0,38}\p{Script=Han})|[A-Za-z][A-Za-z .'-]{0,48}[A-Za-z])$/u

/** Alipay sign-in name: a mobile number, mainland or foreign, or an e-mail address. */
export const ALIPAY_ACCOUNT = /^(?:1[3-9]\d{9}|\d{1,4}-\d{6,11}|[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4})$/

/** Names on an invoice: letters of any script and spaces. */
export const INVOICE_NAME = /^[\p{L}\p{M}]+(?: [\p{L}\p{M}]+)*$/u

/** First year with invoices. */
export const FIRST_INVOICE_YEAR = 2023

/** Months from January 2023 to the month of `today` (YYYY-MM-DD, Shanghai). */
export function isInvoiceMonth(month: string, today: string): boolean {
  return /^\d{4}-(?:0[1-9]|1[0-2])$/.test(month) && month >= `${FIRST_INVOICE_YEAR}-01` && month <= today.slice(0, 7)
}

import type { OpenReason } from '../../words.ts'
import type { Lang } from '#platform/shared/languages.ts'

export type { OpenReason }

/** Requests to an issuer and its responses, in the platform’s terms. Money is in cents of US dollars. */

export interface HolderCall {
  readonly key: string
  /** As printed on the card: Latin capitals. */
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  /** E.164. */
  readonly phone?: string
  /** YYYY-MM-DD. */
  readonly birthDate: string
  /** Home address of the holder, for the issuer's identity check. */
  readonly address: IssuerAddress
  /** Billing address of the programme for the holder's cards; absent: the holder's. Only for issuers with `supports.billing`. */
  readonly billing?: IssuerAddress
}

export interface IssuerAddress {
  readonly line1: string
  readonly line2?: string
  readonly city: string
  readonly state: string
  readonly postalCode: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
}

export interface CardCall {
  readonly key: string
  readonly holderRef: string
  readonly type: 'standard' | 'pro'
  /** Calendar months that it is valid for. */
  readonly months: number
  /** Cents a month that the issuer itself stops at. */
  readonly monthlyCeiling: bigint
  readonly replaces?: { readonly cardRef: string; readonly why: 'lost' | 'stolen' | 'risk' | 'expired' }
}

export interface IssuerCard {
  readonly cardRef: string
  readonly state: 'opening' | 'active' | 'frozen' | 'closed' | 'failed'
  /** Why it failed: the issuer's own short words. */
  readonly reason?: string
  /**
   * The first six and last four digits, which may be shown (PCI DSS 3.4.1); '' if the issuer sends the first six only with the whole
   * number.
   */
  readonly bin: string
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
  /** The billing address that the issuer compares with the one typed at a shop; absent if its response does not hold it. */
  readonly billing?: IssuerAddress
}

export interface LoadCall {
  readonly key: string
  readonly cardRef: string
  readonly minor: bigint
  readonly direction: 'load' | 'unload'
}

/** `refused`: nothing moved and nothing will. */
export type LoadFact =
  | { readonly status: 'done' }
  | { readonly status: 'refused'; readonly reason: string }
  | { readonly status: 'not_found' }
  | { readonly status: 'pending' }

export interface CardMerchant {
  /** As on a statement: `OPENAI *CHATGPT SUBSCR`. */
  readonly name: string
  readonly city: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  /** Four digits. */
  readonly mcc: string
}

/** An expired authorisation can still be captured, a reversed one cannot. */
export interface IssuerAuthorization {
  readonly ref: string
  readonly cardRef: string
  readonly status: 'pending' | 'closed' | 'reversed' | 'expired'
  /** The issuer's latest decision; `reason` explains a `false`. */
  readonly approved: boolean
  readonly reason?: DeclineReason
  /** Sum held now: grows with increments, shrinks with reversals, 0 once closed, reversed or expired. */
  readonly heldMinor: bigint
  /** Total ever approved. */
  readonly approvedMinor: bigint
  readonly merchant: CardMerchant
  readonly local?: { readonly minor: bigint; readonly currency: string }
  readonly createdAt: Date
  /** Number of reversals of approved money. */
  readonly reversals: number
}

export interface IssuerTransaction {
  readonly ref: string
  readonly cardRef: string
  /** Absent if forced by the merchant, or for a refund without a reference. */
  readonly authorizationRef?: string
  /** `refund_reversal`: a refund that the merchant took back. */
  readonly kind: 'capture' | 'refund' | 'refund_reversal'
  readonly minor: bigint
  readonly merchant: CardMerchant
  readonly local?: { readonly minor: bigint; readonly currency: string }
  readonly at: Date
}

export interface IssuerDispute {
  readonly ref: string
  readonly transactionRef: string
  readonly minor: bigint
  readonly status: 'unsubmitted' | 'submitted' | 'won' | 'lost' | 'expired'
  /** True while the issuer has credited the disputed sum to us. */
  readonly credited: boolean
}

export interface IssuerChallenge {
  readonly ref: string
  readonly cardRef: string
  /** Code for the holder to type. Never stored or logged. */
  readonly code: string
  readonly merchant: CardMerchant
  readonly minor: bigint
  readonly expiresAt: Date
}

export interface DisputeCall {
  readonly key: string
  readonly transactionRef: string
  readonly minor: bigint
  readonly reason: 'canceled' | 'duplicate' | 'fraudulent' | 'not_received' | 'not_as_described' | 'other'
  readonly words: string
  readonly file?: { readonly name: string; readonly type: string; readonly body: Uint8Array }
}

/**
 * `decide`: the issuer waits for a response, 2 s at most. All other notices only name what to query; a transaction also changes the
 * authorisation that it names, which may get no notice itself. A dispute's `cardRef` may be ''.
 */
export type IssuerNotice =
  | { readonly kind: 'decide'; readonly eventId: string; readonly asked: AuthorizationRequest }
  | {
      readonly kind: 'authorization' | 'transaction' | 'card' | 'dispute' | 'challenge'
      readonly eventId: string
      readonly ref: string
      readonly cardRef: string
    }
  | { readonly kind: 'ignored'; readonly eventId: string }

export interface AuthorizationRequest {
  readonly ref: string
  readonly cardRef: string
  /** Sum requested now: the whole amount, or that of an increment. 0 verifies the card. */
  readonly minor: bigint
  /** Not set by every issuer: any request about an approved authorisation adds to it anyway. */
  readonly increment: boolean
  readonly partialAllowed: boolean
  readonly merchant: CardMerchant
  readonly local?: { readonly minor: bigint; readonly currency: string }
}

export const DECLINE_REASONS = [
  'insufficient_funds',
  'card_frozen',
  'card_closed',
  'card_not_ready',
  'card_expired',
  'monthly_limit',
  'card_type',
  'merchant_blocked',
  'account_frozen',
  'account_in_debt',
  'card_in_debt',
  'house_limit',
  'wrong_details',
  'suspected_fraud',
  'issuer_rule',
  'no_answer',
] as const
export type DeclineReason = (typeof DECLINE_REASONS)[number]

export type AuthorizationDecision =
  | { readonly approved: true; /** Set only if less is approved than requested. */ readonly minor?: bigint }
  | { readonly approved: false; readonly reason: DeclineReason }

export interface RevealCall {
  readonly cardRef: string
  readonly origin: string
  readonly lang: Lang
  readonly theme: 'light' | 'dark'
  /** Display time for an operator who pays with the card, instead of a minute; 900 at most. */
  readonly seconds?: number
  /** Nonce made by the issuer's script in the browser, if it has one. */
  readonly nonce?: string
}

/**
 * `frame`: a URL for an iframe. `elements`: parameters for the issuer's browser script, which draws its own frames; without a nonce
 * the key is empty, and the page asks again with the nonce that the script made.
 */
export type RevealFrame =
  | { readonly form: 'frame'; readonly url: string; readonly expiresAt: Date }
  | {
      readonly form: 'elements'
      readonly script: string
      readonly publishableKey: string
      readonly ephemeralKey: string
      readonly cardRef: string
      readonly expiresAt: Date
    }

/** Reasons of a declined authorisation, given by the company or by the platform. */
export const DECLINE_CODES = [
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
export type DeclineCode = (typeof DECLINE_CODES)[number]
export const isDeclineCode = (value: unknown): value is DeclineCode => DECLINE_CODES.includes(value as DeclineCode)

export interface Merchant {
  /** As on a statement: `OPENAI *CHATGPT SUBSCR`. */
  readonly name: string
  readonly city: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
  /** Four digits. */
  readonly mcc: string
}
export interface PostalAddress {
  readonly line1: string
  readonly line2?: string | undefined
  readonly city: string
  readonly state: string
  readonly postalCode: string
  /** ISO 3166-1 alpha-2. */
  readonly country: string
}

/** Objects that the company stores. Times are milliseconds of its own clock; names that end in `inor` are cents. */
export interface Holder {
  readonly ref: string
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly address: PostalAddress
  readonly billing?: PostalAddress
}

export interface Card {
  readonly ref: string
  readonly key: string
  readonly holder: string
  readonly type: 'standard' | 'pro'
  state: 'opening' | 'active' | 'frozen' | 'closed' | 'failed'
  reason?: string
  readonly bin: string
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
  readonly ceilingMinor: bigint
  /** Sum approved in the current month, for the ceiling. */
  month: { name: string; minor: bigint }
  readonly replaces?: string
  billing?: PostalAddress
  /** Time of activation. */
  due?: number
}

export interface Load {
  readonly ref: string
  readonly key: string
  readonly card: string
  readonly minor: bigint
  readonly direction: 'load' | 'unload'
  status: 'done' | 'refused' | 'pending'
  reason?: string
  /** Final state of a pending load. */
  readonly ends?: 'done' | 'refused'
  due?: number
}

export interface Local {
  readonly minor: bigint
  readonly currency: string
}

/** Event of an authorisation; `minor`: the sum requested, reversed or released. */
export interface Step {
  readonly what: 'approved' | 'declined' | 'reversed' | 'expired' | 'cleared'
  readonly minor: bigint
  readonly at: number
  readonly reason?: DeclineCode
}

export interface Authorization {
  readonly ref: string
  readonly card: string
  readonly at: number
  readonly merchant: Merchant
  readonly local?: Local
  status: 'pending' | 'closed' | 'reversed' | 'expired'
  approved: boolean
  reason?: DeclineCode
  /** A decision request is open. */
  asking: boolean
  /** Sum of the first request. */
  readonly askedMinor: bigint
  heldMinor: bigint
  approvedMinor: bigint
  reversals: number
  readonly steps: Step[]
  /** Time of expiry. */
  due?: number
  readonly visit?: string
}

export interface Transaction {
  readonly ref: string
  readonly card: string
  readonly authorization?: string
  readonly kind: 'capture' | 'refund' | 'refund_reversal'
  readonly minor: bigint
  readonly merchant: Merchant
  readonly local?: Local
  readonly at: number
  /** The capture that a refund gives back, the refund that a reversal takes back. */
  readonly of?: string
  backMinor: bigint
  readonly visit?: string
}

export interface Dispute {
  readonly ref: string
  readonly card: string
  readonly transaction: string
  readonly minor: bigint
  status: 'unsubmitted' | 'submitted' | 'won' | 'lost' | 'expired'
  credited: boolean
  readonly why: string
  due?: number
}

export interface Challenge {
  readonly ref: string
  readonly card: string
  readonly code: string
  readonly merchant: Merchant
  readonly minor: bigint
  /** No code is good from then on. */
  readonly ends: number
  tries: number
  state: 'open' | 'passed' | 'failed'
  readonly purchase: string
  readonly visit?: string
}

export interface Subscription {
  readonly ref: string
  readonly card: string
  readonly visit: string
  readonly minor: bigint
  readonly merchant: Merchant
  readonly local?: Local
  state: 'running' | 'stopped'
  /** Times in a row. */
  declined: number
  due?: number
}

export interface Kinds {
  holder: Holder
  card: Card
  load: Load
  authorization: Authorization
  transaction: Transaction
  dispute: Dispute
  challenge: Challenge
  subscription: Subscription
}
export type Kind = keyof Kinds

export const DAY_MS = 86_400_000
/** Lodging, where a hold lasts 31 days: hotels, and hotel chains with category codes of their own. */
const isLodging = (mcc: string) => mcc === '7011' || (mcc >= '3501' && mcc <= '3999')
export const holdDays = ({ mcc }: Merchant): number => (isLodging(mcc) ? 31 : 7)

import type { IssuerAddress, DeclineReason, IssuerAuthorization, IssuerCard, IssuerDispute, IssuerTransaction, CardMerchant } from '../../port.ts'

/** Objects that the company stores. Times are milliseconds of its own clock; names that end in `inor` are cents. */
export interface Holder {
  readonly ref: string
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly address: IssuerAddress
  readonly billing?: IssuerAddress
}

export interface Card {
  readonly ref: string
  readonly key: string
  readonly holder: string
  readonly type: 'standard' | 'pro'
  state: IssuerCard['state']
  reason?: string
  readonly bin: string
  readonly last4: string
  readonly expMonth: number
  readonly expYear: number
  readonly ceilingMinor: bigint
  /** Sum approved in the current month, for the ceiling. */
  month: { name: string; minor: bigint }
  readonly replaces?: string
  billing?: IssuerAddress
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
  readonly reason?: DeclineReason
}

export interface Authorization {
  readonly ref: string
  readonly card: string
  readonly at: number
  readonly merchant: CardMerchant
  readonly local?: Local
  status: IssuerAuthorization['status']
  approved: boolean
  reason?: DeclineReason
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
  readonly kind: IssuerTransaction['kind']
  readonly minor: bigint
  readonly merchant: CardMerchant
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
  status: IssuerDispute['status']
  credited: boolean
  readonly why: string
  due?: number
}

export interface Challenge {
  readonly ref: string
  readonly card: string
  readonly code: string
  readonly merchant: CardMerchant
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
  readonly merchant: CardMerchant
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
export const holdDays = ({ mcc }: CardMerchant): number => (isLodging(mcc) ? 31 : 7)

import type { Refusal } from './agreements.ts'

/** A trade as we know it. `channelRef` is missing when the answer to `open` was lost. */
export interface TradeRef {
  readonly tradeNo: string
  readonly openedAt: Date
  readonly channelRef?: string
}

/** Money that a channel says it took: `minor` units of `currency`, under the channel's own transaction number. */
export interface Paid {
  readonly channelTxn: string
  readonly minor: bigint
  /** ISO 4217, capitals. */
  readonly currency: string
  readonly paidAt: Date
  /** The channel's own id of who paid, where it says so: an Alipay buyer, a WeChat openid, a card's fingerprint. Never kept as it is. */
  readonly payer?: string
}

/** What a channel answers about one trade. A payment never disappears from it; everything else may still change. */
export interface TradeFact {
  /** `closed`: no payment is there and none can come. */
  readonly status: 'not_found' | 'open' | 'declined' | 'closed' | 'paid'
  readonly scanned: boolean
  readonly payments: readonly Paid[]
  /** Why a charge under an agreement was declined. */
  readonly refusal?: Refusal
  /** Payments that the payer's bank wants back. Absent where the channel knows none. */
  readonly disputes?: readonly Dispute[]
}

export interface Dispute {
  readonly disputeId: string
  readonly channelTxn: string
  readonly minor: bigint
  readonly currency: string
  readonly status: 'open' | 'won' | 'lost'
  /** Until when evidence is taken; absent where the channel does not say. */
  readonly dueAt?: Date
}

/** What a channel says about one refund. */
export interface RefundFact {
  /**
   * `refused`: certain, no money moves for this number. `pending`: under way. `stuck`: the channel could not deliver it and
   * wants a person. `failed`: it was given up, the money is ours again, perhaps after it had `succeeded`.
   */
  readonly status: 'not_found' | 'refused' | 'pending' | 'succeeded' | 'stuck' | 'failed'
  readonly channelRefund?: string
  readonly reason?: string
}

/** A notice whose signature was verified. It only triggers a query; what it says about money is not believed. */
export interface Notice {
  readonly noticeId: string
  /** `foreign`: surely from the channel, about nothing of ours; acknowledged and forgotten. */
  readonly event: 'paid' | 'refund' | 'dispute' | 'agreement' | 'other' | 'foreign'
  /** Says which agreement it is about; absent for trades. */
  readonly agreementNo?: string
  /** One of the two says which trade it is about. */
  readonly tradeNo?: string
  readonly channelTxn?: string
  readonly refundNo?: string
}

/** One line of a channel's settlement file, for the nightly comparison. Amounts are positive. */
export interface StatementRow {
  readonly kind: 'payment' | 'refund' | 'dispute' | 'dispute_won'
  /** Empty where the channel does not say. */
  readonly tradeNo: string
  readonly channelTxn: string
  readonly refundNo: string
  readonly minor: bigint
  readonly currency: string
  /** What the channel kept (negative: gave back), in `feeCurrency`. */
  readonly feeMinor: bigint
  readonly feeCurrency: string
  readonly at: Date
}

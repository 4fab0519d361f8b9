import type { ChargeRefusal } from './agreements.ts'

/** A trade in our records. `channelRef` is missing when the response to `open` was lost. */
export interface TradeRef {
  readonly tradeNo: string
  readonly openedAt: Date
  readonly channelRef?: string
}

/** A payment reported by a channel: `minor` units of `currency`, under the channel's transaction number. */
export interface ChannelPayment {
  readonly channelTxn: string
  readonly minor: bigint
  /** ISO 4217, in capitals. */
  readonly currency: string
  readonly paidAt: Date
  /** The channel's id of the payer, if reported: an Alipay buyer, a WeChat openid, a card's fingerprint. Never stored in clear. */
  readonly payer?: string
}

/** A channel's report on one trade. Its payments never disappear; every other field may still change. */
export interface TradeFact {
  /** `closed`: unpaid, and no payment can follow. */
  readonly status: 'not_found' | 'open' | 'declined' | 'closed' | 'paid'
  readonly scanned: boolean
  readonly payments: readonly ChannelPayment[]
  /** Why a charge under an agreement was declined. */
  readonly refusal?: ChargeRefusal
  /** Chargebacks by the payer's bank. Absent where the channel reports none. */
  readonly disputes?: readonly ChannelDispute[]
}

export interface ChannelDispute {
  readonly disputeId: string
  readonly channelTxn: string
  readonly minor: bigint
  readonly currency: string
  readonly status: 'open' | 'won' | 'lost'
  /** Deadline for evidence; absent if the channel does not report it. */
  readonly dueAt?: Date
}

/** A channel's report on one refund. */
export interface RefundFact {
  /**
   * `refused`: definitive, no money moves under this number. `pending`: in progress. `stuck`: the channel could not deliver it and
   * needs an operator. `failed`: given up and returned to us, possibly after `succeeded`.
   */
  readonly status: 'not_found' | 'refused' | 'pending' | 'succeeded' | 'stuck' | 'failed'
  readonly channelRefund?: string
  readonly reason?: string
}

/** A notice whose signature was verified. It only triggers a query; its amounts are not trusted. */
export interface ChannelNotice {
  readonly noticeId: string
  /** `foreign`: verified, but about no trade of ours; acknowledged and ignored. */
  readonly event: 'paid' | 'refund' | 'dispute' | 'agreement' | 'other' | 'foreign'
  /** Identifies the agreement; absent for trades. */
  readonly agreementNo?: string
  /** Exactly one of the two identifies the trade. */
  readonly tradeNo?: string
  readonly channelTxn?: string
  readonly refundNo?: string
}

/** One line of a channel's settlement file, for the nightly comparison. Amounts are positive. */
export interface ChannelStatementRow {
  readonly kind: 'payment' | 'refund' | 'dispute' | 'dispute_won'
  /** Empty if the channel does not report it. */
  readonly tradeNo: string
  readonly channelTxn: string
  readonly refundNo: string
  readonly minor: bigint
  readonly currency: string
  /** Fee that the channel kept (negative: returned), in `feeCurrency`. */
  readonly feeMinor: bigint
  readonly feeCurrency: string
  readonly at: Date
}

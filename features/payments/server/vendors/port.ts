import type { ConfigShape } from '#platform/server/config.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { RawReply, RawRequest, SandboxPanel } from '#platform/server/feature.ts'
import type { SandboxPage, SupplierVendor } from '#platform/server/suppliers/registry.ts'
import type { PayCurrency } from '../../contract-currencies.ts'
import type { PayForm, TradeFrom } from '../../words.ts'
import type { Agreements, ChargeRefusal } from './agreements.ts'
import type { ChannelManifest } from './port-manifest.ts'
import type { ChannelTools } from './tools.ts'

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

/** Facts of a disputed order, in plain English for a bank. Holds no contact data. */
export interface EvidenceFacts {
  /** Item sold, and its terms of sale. */
  readonly product: string
  /** Date in Shanghai, YYYY-MM-DD. */
  readonly paidOn: string
  /** Lines of the receipt. */
  readonly receipt: string
  /** Usage since the purchase. */
  readonly use: string
  /** Sign-in times and networks of the customer. */
  readonly access: string
}

export interface EvidenceCall {
  /** Our number, never reused; resending it is idempotent. */
  readonly evidenceNo: string
  readonly disputeId: string
  /** Statement written by an operator. */
  readonly words: string
  readonly facts: EvidenceFacts
}

/** `refused` is final: the channel accepts no more evidence. Unknown outcomes are thrown. */
export type EvidenceOutcome = { readonly kind: 'taken' } | { readonly kind: 'refused'; readonly reason: string }

/** Parses the form of a notice. Undefined for bytes that are not UTF-8 and for a repeated name, which could be read in two ways. */
export function readNoticeFields(body: Buffer): Record<string, string> | undefined {
  const fields: Record<string, string> = Object.create(null) as Record<string, string>
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    for (const pair of text.split('&')) {
      const [name = '', value = '', ...rest] = pair.split('=').map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
      if (!name || rest.length || name in fields) return undefined
      fields[name] = value
    }
    return fields
  } catch {
    return undefined
  }
}

export type * from './agreements.ts'
export type * from './port-manifest.ts'
export { isAgreedTrade } from './agreements.ts'
export { defineChannelManifest } from './port-manifest.ts'
export { definePayMethod } from './pay-method.ts'
export { CHANNEL_METHOD_NAMES, PAY_METHODS } from '../../contract-methods.ts'
export type { ChannelMethodName } from '../../contract-methods.ts'
export type { ChannelTools }
export type { PayCurrency, PayForm, RawReply, RawRequest, ConfigShape, TradeFrom }

export interface OpenCall {
  /** Our trade number, globally unique: digits, capitals and hyphens, at most 30. */
  readonly tradeNo: string
  /** In minor units (cents, fen) of the manifest's currency. */
  readonly payMinor: bigint
  readonly currency: PayCurrency
  /** Order amount in dollars, decimal text. */
  readonly orderAmount: string
  /** Subject line shown to the payer. Identical for every opening of a trade: channels refuse a trade that changes. */
  readonly subject: string
  readonly transactionType: number
  readonly tradeFrom: TradeFrom
  readonly notifyUrl: string
  readonly returnUrl: string
  readonly expiresAt: Date
  readonly payerIp: string
  readonly payerAgent: string
  readonly lang: Lang
}

/** `refused` is final: no trade exists. Unknown outcomes (timeout, 5xx, unreadable or unsigned reply) are thrown and become `unknown`. */
export type OpenOutcome =
  | {
      readonly kind: 'opened'
      readonly form: PayForm
      readonly payUrl: string
      readonly payHtml: string
      readonly qr?: string
      readonly expiresAt: Date
      /** The channel's id of the trade, stored with the attempt and passed back in every `TradeRef`. */
      readonly channelRef?: string
    }
  | { readonly kind: 'refused'; readonly reason: string }

export interface RefundCall {
  /** Our refund number, globally unique. Resending it is the same refund (see `Supports.refund`). */
  readonly refundNo: string
  readonly trade: TradeRef
  /** The payment to refund, as the channel reported it. */
  readonly paid: ChannelPayment
  /** In minor units of the payment's currency. */
  readonly minor: bigint
  /** Sum of this payment's refunds that were sent before this one and did or may exist at the channel. */
  readonly earlierMinor: bigint
  readonly reason: string
  readonly notifyUrl: string
}
export type RefundRef = Pick<RefundCall, 'refundNo' | 'trade' | 'paid' | 'minor' | 'earlierMinor'>

export interface Channel {
  readonly manifest: ChannelManifest
  /** Absent if no payment method can be stored. */
  readonly agreements?: Agreements
  /** Opens a trade. Throws if the outcome is unknown. */
  open(tools: ChannelTools, call: OpenCall): Promise<OpenOutcome>
  /** Authoritative state of a trade. Throws if the channel cannot be queried. */
  query(tools: ChannelTools, trade: TradeRef): Promise<TradeFact>
  /**
   * Closes a trade, so that it can no longer be paid. `open`: the channel cannot close it, and it expires. Throws if the outcome is
   * unknown.
   */
  close(tools: ChannelTools, trade: TradeRef): Promise<'closed' | 'paid' | 'open'>
  /** Refunds money, once per `refundNo`. Throws if the outcome is unknown: send it again, or call `queryRefund`. */
  refund(tools: ChannelTools, call: RefundCall): Promise<RefundFact>
  /** Authoritative state of a refund. Throws if the channel cannot be queried. */
  queryRefund(tools: ChannelTools, refund: RefundRef): Promise<RefundFact>
  /** Verifies the signature over the raw bytes; undefined unless the notice is certainly from the channel to us. */
  readNotice(tools: ChannelTools, raw: RawRequest): Promise<ChannelNotice | undefined>
  /** Reply bodies that the channel expects: `done` stops its retries, `retry` requests another notice, `forged` refuses. */
  acknowledge(outcome: 'done' | 'retry' | 'forged'): RawReply
  /**
   * Submits evidence against a dispute; idempotent per number. Absent if the channel has no API for it. Throws on an unknown outcome: send
   * it again.
   */
  contest?(tools: ChannelTools, call: EvidenceCall): Promise<EvidenceOutcome>
  /** Our balance available for payout, by currency in minor units; absent if the channel does not report it. */
  balance?(tools: ChannelTools): Promise<readonly { readonly currency: string; readonly minor: bigint }[]>
  /** Signing certificates of the channel, if it uses any. */
  certificates?(tools: ChannelTools): Promise<readonly { readonly serial: string; readonly issuer: string; readonly expiresAt: Date }[]>
  /** Everything the channel settled on a Shanghai day (YYYY-MM-DD). Throws while the file is not ready. */
  statement(tools: ChannelTools, day: string): Promise<readonly ChannelStatementRow[]>
}

export type ChannelConfig = Readonly<Record<string, unknown>>

/** Entry point of a vendor's folder: its environment variables, and the channel once credentials are set. */
export interface ChannelVendor extends SupplierVendor<Channel> {
  readonly env: ConfigShape
  /** Simulated company; sandboxes only. */
  readonly outside?: ChannelSandbox
}

/** The company's side of a sandbox: pages, jobs and book. `query` reaches only its own tables. */
export interface ChannelSandbox {
  readonly routes: readonly SandboxPage<ChannelTools>[]
  /** Sends due notices; run often. */
  readonly work: (tools: ChannelTools) => Promise<void>
  readonly panel: (tools: ChannelTools) => Promise<SandboxPanel>
}

import type { ConfigShape } from '#platform/server/config.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { RawReply, RawRequest, SandboxPanel } from '#platform/server/feature.ts'
import type { SandboxPage, SupplierVendor } from '#platform/server/suppliers/registry.ts'
import type { PayCurrency } from '../../contract-currencies.ts'
import type { PayForm, TradeFrom } from '../../words.ts'
import type { Agreements } from './agreements.ts'
import type { EvidenceOutcome, EvidenceCall } from './evidence.ts'
import type { ChannelNotice, ChannelPayment, RefundFact, ChannelStatementRow, TradeFact, TradeRef } from './port-facts.ts'
import type { ChannelManifest } from './port-manifest.ts'
import type { ChannelTools } from './tools.ts'

export type * from './agreements.ts'
export type * from './evidence.ts'
export type * from './port-facts.ts'
export type * from './port-manifest.ts'
export { isAgreedTrade } from './agreements.ts'
export { readNoticeFields } from './form-fields.ts'
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

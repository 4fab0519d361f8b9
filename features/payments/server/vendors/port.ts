import type { ConfigShape } from '#platform/server/config.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { RawReply, RawRequest, SandboxPanel } from '#platform/server/feature.ts'
import type { PayCurrency, PayForm, TradeFrom } from '../../words.ts'
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
export type { ChannelTools }
export type { PayCurrency, PayForm, RawReply, RawRequest, ConfigShape, TradeFrom }

export interface OpenCall {
  /** Our number for this trade, unique for ever: digits, capitals and hyphens, at most 30. */
  readonly tradeNo: string
  /** In minor units (cents, fen) of the manifest's currency. */
  readonly payMinor: bigint
  readonly currency: PayCurrency
  /** Order amount in dollars, decimal text. */
  readonly orderAmount: string
  /** The line that the payer reads. The same for every opening of a trade: channels refuse a trade that changes. */
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

/**
 * Refused is certain: no trade exists. Every doubt (time-out, 5xx, unreadable or unsigned reply) is thrown and becomes
 * `unknown`.
 */
export type OpenOutcome =
  | {
      readonly kind: 'opened'
      readonly form: PayForm
      readonly payUrl: string
      readonly payHtml: string
      readonly qr?: string
      readonly expiresAt: Date
      /** The channel's own name for the trade, kept with the attempt and handed back in every `TradeRef`. */
      readonly channelRef?: string
    }
  | { readonly kind: 'refused'; readonly reason: string }

export interface RefundCall {
  /** Our number for this refund, unique for ever. Sent again it is the same refund (see `Supports.refund`). */
  readonly refundNo: string
  readonly trade: TradeRef
  /** The payment that is given back, as the channel stated it. */
  readonly paid: ChannelPayment
  /** In minor units of the payment's currency. */
  readonly minor: bigint
  /** Sum of the refunds of this payment that left before this one and did or may stand at the channel. */
  readonly earlierMinor: bigint
  readonly reason: string
  readonly notifyUrl: string
}
export type RefundRef = Pick<RefundCall, 'refundNo' | 'trade' | 'paid' | 'minor' | 'earlierMinor'>

export interface Channel {
  readonly manifest: ChannelManifest
  /** Absent where no payment method can be stored. */
  readonly agreements?: Agreements
  /** Opens a trade. Throws when the outcome is not known. */
  open(tools: ChannelTools, call: OpenCall): Promise<OpenOutcome>
  /** The truth about a trade. Throws when the channel cannot be asked. */
  query(tools: ChannelTools, trade: TradeRef): Promise<TradeFact>
  /** Makes sure that a trade is paid no more. `open`: this channel cannot, time will do it. Throws when the outcome is not known. */
  close(tools: ChannelTools, trade: TradeRef): Promise<'closed' | 'paid' | 'open'>
  /** Gives money back, once for `refundNo`. Throws when the outcome is not known: send it again, or ask `queryRefund`. */
  refund(tools: ChannelTools, call: RefundCall): Promise<RefundFact>
  /** The truth about a refund. Throws when the channel cannot be asked. */
  queryRefund(tools: ChannelTools, refund: RefundRef): Promise<RefundFact>
  /** Verifies the signature over the raw bytes; undefined for anything that is not surely from the channel to us. */
  readNotice(tools: ChannelTools, raw: RawRequest): Promise<ChannelNotice | undefined>
  /** The channel's own words: `done` stops its retries, `retry` asks for another notice, `forged` refuses. */
  acknowledge(outcome: 'done' | 'retry' | 'forged'): RawReply
  /**
   * Submits evidence against a dispute; idempotent per number. Absent where this is done elsewhere. Throws on an unknown outcome:
   * send it again.
   */
  contest?(tools: ChannelTools, call: EvidenceCall): Promise<EvidenceOutcome>
  /** Our balance available for payout, by currency in minor units; absent where the channel does not report it. */
  balance?(tools: ChannelTools): Promise<readonly { readonly currency: string; readonly minor: bigint }[]>
  /** Signing certificates of the channel, where it uses any. */
  certificates?(tools: ChannelTools): Promise<readonly { readonly serial: string; readonly issuer: string; readonly expiresAt: Date }[]>
  /** Everything the channel settled on a Shanghai day (YYYY-MM-DD). Throws while the file is not ready. */
  statement(tools: ChannelTools, day: string): Promise<readonly ChannelStatementRow[]>
}

export type ChannelConfig = Readonly<Record<string, unknown>>

/** Entry point of a vendor's folder: its environment variables, and the channel once credentials are set. */
export interface ChannelVendor {
  readonly name: string
  readonly sandbox: boolean
  readonly env: ConfigShape
  /** Returns undefined without credentials. Throws if they are incomplete or inconsistent; the message names variables, never values. */
  readonly connect: (config: ChannelConfig) => Channel | undefined
  /** Simulated company; sandboxes only. */
  readonly outside?: ChannelSandbox
}

/** The company's side of a sandbox: pages, jobs and book. `query` reaches only its own tables. */
export interface ChannelSandbox {
  readonly routes: readonly {
    readonly method: 'GET' | 'POST'
    readonly path: string
    readonly handle: (tools: ChannelSandboxTools, request: RawRequest) => Promise<RawReply>
  }[]
  /** Sends what is due; run often. */
  readonly work: (tools: ChannelSandboxTools) => Promise<void>
  readonly panel: (tools: ChannelSandboxTools) => Promise<SandboxPanel>
}
export interface ChannelSandboxTools extends ChannelTools {
  readonly query: <R extends object>(text: string, values?: readonly unknown[]) => Promise<R[]>
}

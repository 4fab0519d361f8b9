import type { Shape } from '#platform/server/config.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { RawReply, RawRequest, SandboxPanel } from '#platform/server/feature.ts'
import type { PayCurrency, PayForm, TradeFrom } from '../../words.ts'
import type { Agreements, Refusal } from './agreements.ts'
import type { Contested, EvidenceCall } from './evidence.ts'
import type { ChannelTools } from './tools.ts'

export type * from './agreements.ts'
export type * from './evidence.ts'
export { isAgreedTrade } from './agreements.ts'
export type { ChannelTools }
export type { PayCurrency, PayForm, RawReply, RawRequest, Shape, TradeFrom }

/** What a payment channel says about itself; the pages draw from it and name no vendor. */
export interface ChannelManifest {
  /** Its number among the 25 providers (`providers.ts`). */
  readonly id: number
  /** The last part of `/notify/{name}`. */
  readonly name: string
  /** Stands in for a real channel: off in production unless ALLOW_SANDBOX has `payment`. */
  readonly sandbox: boolean
  /** What an order at this channel is paid in, and what its own query answers in. */
  readonly currency: PayCurrency
  /** Smallest and largest order in dollars that the channel's own rules allow; the settings may be narrower. */
  readonly limits: { readonly min?: string; readonly max?: string }
  readonly methods: readonly PayMethod[]
  /** `same`: a trade number that is opened again is the same trade. `new`: the channel refuses it, each opening needs a number of its own. */
  readonly reopens: 'same' | 'new'
  readonly supports: Supports
}

/** What a channel can do beyond taking money. */
export interface Supports {
  /** A trade can be closed, so that it can no longer be paid. */
  readonly close: boolean
  /** `numbered`: our refund number makes a refund happen once. `one-by-one`: it does not, so the refunds of one payment must be sent one after the other. */
  readonly refund: 'numbered' | 'one-by-one'
  /** Days after payment within which it can be refunded. */
  readonly refundDays: number
  /** A settlement file can be fetched; `payments`: it lists nothing but payments. */
  readonly statement: boolean | 'payments'
  readonly disputes: boolean
}

/** One way to pay at a channel: a card in the picker. */
export interface PayMethod {
  /** 1 Alipay, 2 WeChat Pay, 3 UnionPay, 4 AlipayHK, 5 card. */
  readonly transactionType: number
  readonly label: Words
  readonly advantages: readonly Words[]
  readonly tipsTop: Words
  readonly tipsBottom: Words
  /** SVG text of 40 x 40, served by us. */
  readonly icon: string
  /** What `open` returns on a desktop (QRCODE) and on a phone (H5); absent: not offered there. */
  readonly forms: Readonly<Partial<Record<TradeFrom, PayForm>>>
  /** Shown only to users of the gradual release. */
  readonly gradualOnly?: boolean
}
type Words = Readonly<Record<Lang, string>>

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
export type Opened =
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

export interface RefundCall {
  /** Our number for this refund, unique for ever. Sent again it is the same refund (see `Supports.refund`). */
  readonly refundNo: string
  readonly trade: TradeRef
  /** The payment that is given back, as the channel stated it. */
  readonly paid: Paid
  /** In minor units of the payment's currency. */
  readonly minor: bigint
  /** Sum of the refunds of this payment that left before this one and did or may stand at the channel. */
  readonly earlierMinor: bigint
  readonly reason: string
  readonly notifyUrl: string
}
export type RefundRef = Pick<RefundCall, 'refundNo' | 'trade' | 'paid' | 'minor' | 'earlierMinor'>

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

export interface Channel {
  readonly manifest: ChannelManifest
  /** Absent where no payment method can be stored. */
  readonly agreements?: Agreements
  /** Opens a trade. Throws when the outcome is not known. */
  open(tools: ChannelTools, call: OpenCall): Promise<Opened>
  /** The truth about a trade. Throws when the channel cannot be asked. */
  query(tools: ChannelTools, trade: TradeRef): Promise<TradeFact>
  /** Makes sure that a trade is paid no more. `open`: this channel cannot, time will do it. Throws when the outcome is not known. */
  close(tools: ChannelTools, trade: TradeRef): Promise<'closed' | 'paid' | 'open'>
  /** Gives money back, once for `refundNo`. Throws when the outcome is not known: send it again, or ask `queryRefund`. */
  refund(tools: ChannelTools, call: RefundCall): Promise<RefundFact>
  /** The truth about a refund. Throws when the channel cannot be asked. */
  queryRefund(tools: ChannelTools, refund: RefundRef): Promise<RefundFact>
  /** Verifies the signature over the raw bytes; undefined for anything that is not surely from the channel to us. */
  readNotice(tools: ChannelTools, raw: RawRequest): Promise<Notice | undefined>
  /** The channel's own words: `done` stops its retries, `retry` asks for another notice, `forged` refuses. */
  acknowledge(outcome: 'done' | 'retry' | 'forged'): RawReply
  /** Hands evidence in against a dispute, once for its number. Absent where it is done elsewhere. Throws when the outcome is not known: send it again. */
  contest?(tools: ChannelTools, call: EvidenceCall): Promise<Contested>
  /** What we have there and could pay out, by currency in minor units; absent where the channel does not tell. */
  balance?(tools: ChannelTools): Promise<readonly { readonly currency: string; readonly minor: bigint }[]>
  /** Certificates of the channel's that signatures rest on, where it has such. */
  certificates?(tools: ChannelTools): Promise<readonly { readonly serial: string; readonly issuer: string; readonly expiresAt: Date }[]>
  /** Everything the channel settled on a day of Shanghai (YYYY-MM-DD). Throws while the file is not ready. */
  statement(tools: ChannelTools, day: string): Promise<readonly StatementRow[]>
}

export type ChannelConfig = Readonly<Record<string, unknown>>

/** A vendor's folder, from outside: its part of the environment, and the channel once its credentials are there. */
export interface ChannelVendor {
  readonly name: string
  readonly sandbox: boolean
  readonly env: Shape
  /** Undefined without credentials. Throws when some are there and do not fit together; the message names variables, never values. */
  readonly connect: (config: ChannelConfig) => Channel | undefined
  /** What stands in for the outside company; sandboxes only. */
  readonly outside?: Outside
}

/** A sandbox's own side: its pages, its work, its book. `query` reaches its own tables alone. */
export interface Outside {
  readonly routes: readonly {
    readonly method: 'GET' | 'POST'
    readonly path: string
    readonly handle: (tools: OutsideTools, request: RawRequest) => Promise<RawReply>
  }[]
  /** Sends what is due; run often. */
  readonly work: (tools: OutsideTools) => Promise<void>
  readonly panel: (tools: OutsideTools) => Promise<SandboxPanel>
}
export interface OutsideTools extends ChannelTools {
  readonly query: <R extends object>(text: string, values?: readonly unknown[]) => Promise<R[]>
}

import type { Log } from '#platform/server/log.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { RawReply, RawRequest, SandboxPanel } from '#platform/server/feature.ts'
import type { PayForm, TradeFrom } from '../../words.ts'

export type { PayForm, RawReply, RawRequest, TradeFrom }

/** What a payment channel says about itself; the pages draw from it and name no vendor. */
export interface ChannelManifest {
  /** Number in the specification's list of 25 providers. */
  readonly id: number
  /** The last part of `/notify/{name}`. */
  readonly name: string
  /** Stands in for a real channel: refused in production unless ALLOW_SANDBOX has `payment`. */
  readonly sandbox: boolean
  readonly methods: readonly PayMethod[]
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

/** What a vendor may use. */
export interface ChannelTools {
  /** Leaves the house; give every call a deadline. */
  readonly fetch: typeof fetch
  readonly now: () => Date
  readonly log: Log
  readonly publicUrl: () => string
  /** 32 bytes of this installation for one purpose. */
  readonly secret: (purpose: string) => Buffer
}

export interface OpenCall {
  /** Our number for this trade, unique for ever: opening it again returns the same trade. */
  readonly tradeNo: string
  readonly payMinor: bigint
  readonly currency: 'CNY'
  /** Order amount in dollars, decimal text, for the line that the payer reads. */
  readonly orderAmount: string
  readonly transactionType: number
  readonly tradeFrom: TradeFrom
  readonly notifyUrl: string
  readonly returnUrl: string
  readonly expiresAt: Date
  readonly lang: Lang
}

/** Refused is certain: no trade exists. Every doubt (time-out, 5xx, unreadable reply) is thrown and becomes `unknown`. */
export type Opened =
  | { readonly kind: 'opened'; readonly form: PayForm; readonly payUrl: string; readonly payHtml: string; readonly qr?: string; readonly expiresAt: Date }
  | { readonly kind: 'refused'; readonly reason: string }

/** Money that a channel says it took: `minor` units of `currency`, under the channel's own transaction number. */
export interface Paid {
  readonly channelTxn: string
  readonly minor: bigint
  readonly currency: string
  readonly paidAt: Date
}

/** What a channel answers about one trade. A payment never disappears from it; everything else may still change. */
export interface TradeFact {
  readonly status: 'not_found' | 'open' | 'declined' | 'paid'
  readonly scanned: boolean
  readonly payments: readonly Paid[]
}

/** A notice whose signature was verified. It only triggers a query; what it says about money is not believed. */
export interface Notice {
  readonly noticeId: string
  readonly tradeNo: string
  readonly event: 'paid' | 'other'
}

export interface Channel {
  readonly manifest: ChannelManifest
  /** Opens a trade. Throws when the outcome is not known. */
  open(tools: ChannelTools, call: OpenCall): Promise<Opened>
  /** The truth about a trade. Throws when the channel cannot be asked. */
  query(tools: ChannelTools, tradeNo: string): Promise<TradeFact>
  /** Verifies the signature over the raw bytes; undefined for anything that is not surely from the channel to us. */
  readNotice(tools: ChannelTools, raw: RawRequest): Notice | undefined
  /** The channel's own words: `done` stops its retries, `retry` asks for another notice, `forged` refuses. */
  acknowledge(outcome: 'done' | 'retry' | 'forged'): RawReply
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

import type { Lang } from '#platform/shared/texts.ts'
import type { PayCurrency, PayForm, TradeFrom } from '../../words.ts'

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
  /** A payment does not say, by an id of the channel's own, who made it: one person's two accounts cannot be told by it. */
  readonly anonymous?: true
  /** Shown only to users of the gradual release. */
  readonly gradualOnly?: boolean
}
type Words = Readonly<Record<Lang, string>>

import type { Lang } from '#platform/shared/texts.ts'
import type { PayCurrency, PayForm, TradeFrom } from '../../words.ts'

/** Self-description of a payment channel. The pages render from it and name no vendor. */
export interface ChannelManifest {
  /** Permanent number, which orders store (table in docs/features/payments.md). */
  readonly id: number
  /** Last segment of the webhook path `/notify/{name}`. */
  readonly name: string
  /** Simulates a real channel: off in production unless ALLOW_SANDBOX has `payment`. */
  readonly sandbox: boolean
  /** Currency of orders at this channel, and of the channel's query. */
  readonly currency: PayCurrency
  /** Smallest and largest order in dollars that the channel allows; the settings may be narrower. */
  readonly limits: { readonly min?: string; readonly max?: string }
  readonly methods: readonly PayMethod[]
  /** Reuse of a trade number. `same`: reopening returns the same trade. `new`: the channel refuses it, so each opening needs a new number. */
  readonly reopens: 'same' | 'new'
  readonly supports: Supports
}

/** Capabilities of a channel; every channel declares all of them. */
export interface Supports {
  /**
   * `numbered`: our refund number is an idempotency key. `one-by-one`: it is not, so the refunds of one payment are sent one after the
   * other.
   */
  readonly refund: 'numbered' | 'one-by-one'
  /** Refund window in days after the payment. */
  readonly refundDays: number
  /** The channel offers settlement files; `payments`: they list only payments. */
  readonly statement: boolean | 'payments'
}

/** A payment method at a channel: a card in the picker. What differs between methods of one channel is declared here. */
export interface PayMethod {
  /** Number of the method (`payMethod` in the contract): 1 Alipay, 2 WeChat Pay, 3 UnionPay, 4 AlipayHK, 5 card. */
  readonly transactionType: number
  readonly label: Words
  readonly advantages: readonly Words[]
  readonly tipsTop: Words
  readonly tipsBottom: Words
  /** SVG text of 40 x 40, served by us. */
  readonly icon: string
  /** Form that `open` returns on a desktop (QRCODE) and on a phone (H5); absent: not offered there. */
  readonly forms: Readonly<Partial<Record<TradeFrom, PayForm>>>
  /** Payments carry no payer id of the channel, so two accounts of one person cannot be linked by it. */
  readonly anonymous?: true
  /** Shown only to users of the gradual release. */
  readonly gradualOnly?: boolean
}
type Words = Readonly<Record<Lang, string>>

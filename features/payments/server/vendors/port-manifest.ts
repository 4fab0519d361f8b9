import type { Lang } from '#platform/shared/texts.ts'
import { PAY_CHANNELS } from '../../contract-channels.ts'
import type { PayCurrency } from '../../contract-currencies.ts'
import type { PayForm, TradeFrom } from '../../words.ts'

/** Self-description of a payment channel. The pages render from it and name no vendor. */
export interface ChannelManifest {
  /** Permanent number, which orders store (`PAY_CHANNELS`). */
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

/** Capabilities of a channel. A channel declares those that it has; the others are as in `NO_SUPPORT`. */
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

const NO_SUPPORT: Supports = { refund: 'one-by-one', refundDays: 0, statement: false }

type DeclaredManifest = Pick<ChannelManifest, 'currency' | 'methods' | 'reopens'> &
  Partial<Pick<ChannelManifest, 'sandbox' | 'limits'>> & { readonly supports?: Partial<Supports> }

/** Builds the manifest of a channel in `PAY_CHANNELS`. Without limits, only the settings bound an order. */
export function defineChannelManifest(name: keyof typeof PAY_CHANNELS, { supports, ...declared }: DeclaredManifest): ChannelManifest {
  return { id: PAY_CHANNELS[name].id, name, sandbox: false, limits: {}, ...declared, supports: { ...NO_SUPPORT, ...supports } }
}

/** A payment method at a channel: a card in the picker. What differs between methods of one channel is declared here. */
export interface PayMethod {
  /** Number of the method (`PAY_METHODS`). */
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
  /** Refund window of this method, where it is shorter than the channel's. */
  readonly refundDays?: number
  /** Shown only to users of the gradual release. */
  readonly gradualOnly?: boolean
}
type Words = Readonly<Record<Lang, string>>

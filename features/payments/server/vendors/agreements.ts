import type { Lang } from '#platform/shared/texts.ts'
import type { PayCurrency } from '../../words.ts'
import type { ChannelTools } from './tools.ts'

/**
 * The second thing that a channel may be able to do: take money again and again under an agreement that the payer signed
 * once, without the payer being there.
 */
export interface Agreements {
  /** The ways to pay (`transactionType`) that can be stored. */
  readonly methods: readonly AgreedMethod[]
  /** Makes a page where the payer agrees. The same number again is the same agreement. Throws when the outcome is not known. */
  sign(tools: ChannelTools, call: SignCall): Promise<Signing>
  /** The truth about an agreement. Throws when the channel cannot be asked. */
  lookUp(tools: ChannelTools, ref: AgreementRef): Promise<AgreementFact>
  /**
   * Takes money under an agreement, once for the trade's number: sent again it is the same charge. `taken` says that the
   * channel has it, the trade's `query` says whether it is paid. Throws when the outcome is not known.
   */
  charge(tools: ChannelTools, call: ChargeCall): Promise<ChargeOutcome>
  /** Ends an agreement for good; one that is over already is no error. Throws when the outcome is not known. */
  revoke(tools: ChannelTools, ref: AgreementRef): Promise<void>
}

export interface AgreedMethod {
  readonly transactionType: number
  /** Largest single charge that the channel's contract allows, in minor units of its currency. */
  readonly mostMinor?: bigint
  /** The channel's own rule: at least so many days between two charges. 0: as often as needed. */
  readonly everyDays: number
  /** Minimum notice to the payer before a charge, in minutes. */
  readonly noticeMinutes: number
  /** Payers with a number of Hong Kong or Macao can sign too. */
  readonly hongKong: boolean
}

export interface SignCall {
  /** Our number for the agreement, unique for ever: digits, capitals and hyphens, at most 22. */
  readonly agreementNo: string
  readonly transactionType: number
  readonly notifyUrl: string
  readonly returnUrl: string
  readonly expiresAt: Date
  readonly isPhone: boolean
  /** Largest charge that the payer agrees to, in minor units. */
  readonly mostMinor: bigint
  readonly currency: PayCurrency
  readonly lang: Lang
}

/** `secret` is the channel's own name for what was begun: it is kept sealed and handed back in every `AgreementRef`. */
export type Signing =
  | { readonly kind: 'opened'; readonly payUrl: string; readonly expiresAt: Date; readonly secret: string }
  | { readonly kind: 'refused'; readonly reason: string }

export interface AgreementRef {
  readonly agreementNo: string
  readonly transactionType: number
  /** Missing when the answer to `sign` was lost. */
  readonly secret?: string
}

export type AgreementFact =
  | { readonly status: 'not_found' | 'open' | 'ended' }
  /** `secret` replaces what was kept; `label` is how the payer knows the method: "Visa ···· 4242". */
  | { readonly status: 'active'; readonly secret: string; readonly label: string }

export interface ChargeCall {
  readonly tradeNo: string
  readonly agreement: Required<AgreementRef>
  readonly payMinor: bigint
  readonly currency: PayCurrency
  /** Order amount in dollars, decimal text. */
  readonly orderAmount: string
  readonly subject: string
  readonly notifyUrl: string
  readonly expiresAt: Date
}

/**
 * Why a charge was surely not made. `authentication`: the payer's bank wants the payer. `ended`: the agreement is over.
 * `declined`: everything else.
 */
export type ChargeRefusal = 'declined' | 'authentication' | 'ended'

export type ChargeOutcome =
  | { readonly kind: 'taken'; readonly channelRef?: string }
  | { readonly kind: 'refused'; readonly refusal: ChargeRefusal; readonly reason: string }

/** Trades under an agreement end in A: their number tells them from those that a payer opens. */
const AGREED_SUFFIX = 'A'
export const formatAgreedTradeNo = (orderNo: string, channelType: number, transactionType: number) =>
  `${orderNo}-${channelType}${transactionType}${AGREED_SUFFIX}`
export const isAgreedTrade = (tradeNo: string) => tradeNo.endsWith(AGREED_SUFFIX)

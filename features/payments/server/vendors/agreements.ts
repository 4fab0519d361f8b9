import type { Lang } from '#platform/shared/texts.ts'
import type { PayCurrency } from '../../contract-currencies.ts'
import type { ChannelTools } from './tools.ts'

/** Optional capability of a channel: charging repeatedly under an agreement that the payer signed once, without the payer present. */
export interface Agreements {
  /** Payment methods (`transactionType`) that can be stored. */
  readonly methods: readonly AgreedMethod[]
  /** Creates a page where the payer agrees. Idempotent per number. Throws if the outcome is unknown. */
  sign(tools: ChannelTools, call: SignCall): Promise<Signing>
  /** Authoritative state of an agreement. Throws if the channel cannot be queried. */
  lookUp(tools: ChannelTools, ref: AgreementRef): Promise<AgreementFact>
  /**
   * Charges under an agreement, once per trade number: resending it is the same charge. `taken` says that the channel has it, the trade's
   * `query` whether it is paid. Throws if the outcome is unknown.
   */
  charge(tools: ChannelTools, call: ChargeCall): Promise<ChargeOutcome>
  /** Ends an agreement permanently; one that has already ended is not an error. Throws if the outcome is unknown. */
  revoke(tools: ChannelTools, ref: AgreementRef): Promise<void>
}

export interface AgreedMethod {
  readonly transactionType: number
  /** Largest single charge that the channel's contract allows, in minor units of its currency. */
  readonly mostMinor?: bigint
  /** Minimum days between two charges required by the channel. 0: as often as needed. */
  readonly everyDays: number
  /** Minimum notice to the payer before a charge, in minutes. */
  readonly noticeMinutes: number
  /** Payers with a Hong Kong or Macao number can sign too. */
  readonly hongKong: boolean
}

export interface SignCall {
  /** Our agreement number, globally unique: digits, capitals and hyphens, at most 22. */
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

/** `secret` is the channel's identifier of the new agreement: stored sealed and passed back in every `AgreementRef`. */
export type Signing =
  | { readonly kind: 'opened'; readonly payUrl: string; readonly expiresAt: Date; readonly secret: string }
  | { readonly kind: 'refused'; readonly reason: string }

export interface AgreementRef {
  readonly agreementNo: string
  readonly transactionType: number
  /** Missing if the response to `sign` was lost. */
  readonly secret?: string
}

export type AgreementFact =
  | { readonly status: 'not_found' | 'open' | 'ended' }
  /** `secret` replaces the stored one; `label` describes the method to the payer: "Visa ···· 4242". */
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
 * Reason why a charge certainly failed. `authentication`: the payer's bank requires the payer. `ended`: the agreement is over. `declined`:
 * everything else.
 */
export type ChargeRefusal = 'declined' | 'authentication' | 'ended'

export type ChargeOutcome =
  | { readonly kind: 'taken'; readonly channelRef?: string }
  | { readonly kind: 'refused'; readonly refusal: ChargeRefusal; readonly reason: string }

/** Suffix of trade numbers under an agreement, which distinguishes them from trades that a payer opens. */
const AGREED_SUFFIX = 'A'
export const formatAgreedTradeNo = (orderNo: string, channelType: number, transactionType: number) =>
  `${orderNo}-${channelType}${transactionType}${AGREED_SUFFIX}`
export const isAgreedTrade = (tradeNo: string) => tradeNo.endsWith(AGREED_SUFFIX)

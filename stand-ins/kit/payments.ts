import type { StandInServer } from './server.ts'
import type { SentWebhook } from './webhooks.ts'

/** A result that is immediate, or awaits a database query. */
type MaybePromise<T> = T | Promise<T>

export interface BookedPayment {
  readonly tradeNo: string
  readonly txn: string
  readonly minor: bigint
  readonly currency: string
}
export interface BookedRefund {
  readonly refundNo: string
  readonly txn: string
  readonly minor: bigint
  readonly state: 'pending' | 'succeeded' | 'failed' | 'stuck'
}
/** Payment page data given to the payer's browser. */
export interface PayPage {
  readonly form: string
  readonly payUrl: string
  readonly payHtml: string
}

/**
 * Stand-in of a payment company, with its own keys and book. It verifies the merchant's signatures, signs its own messages, and delivers
 * webhooks on its schedule by the given clock.
 */
export interface PaymentCompany {
  readonly name: string
  /** Settings of the merchant that lead to this stand-in. */
  readonly env: Readonly<Record<string, string>>
  readonly http: StandInServer
  /** The company's id of the payer; absent if it reports none. */
  readonly payer?: string
  /** Trade numbers in the company's book. */
  trades(): MaybePromise<readonly string[]>
  payments(): MaybePromise<readonly BookedPayment[]>
  refunds(): MaybePromise<readonly BookedRefund[]>
  /** Plays the payer's browser after `open`: follows an address or submits a form; does nothing for a QR code. */
  arrive(page: PayPage): Promise<void>
  /** Pays as the payer; `minor` and `currency` default to the trade's own. Queues a webhook unless `silent`. */
  pay(tradeNo: string, how?: { readonly minor?: bigint; readonly currency?: string; readonly silent?: boolean }): MaybePromise<void>
  decline(tradeNo: string): MaybePromise<void>
  /** Sets the later state of a refund, with its webhook. */
  turnRefund(refundNo: string, state: BookedRefund['state']): MaybePromise<void>
  /** Keeps the next refunds pending until `turnRefund`. */
  slowRefunds(on: boolean): void
  /** A valid webhook about the trade's current state; the bytes differ each time. */
  notice(tradeNo: string): SentWebhook
  /** Sends due webhooks; a positive acknowledgement stops the retries. Returns the number sent. */
  deliver(): Promise<number>
  /** Forged webhooks about a trade that a third party could send: none may have an effect. */
  forgeries(tradeNo: string, otherTradeNo: string): Readonly<Record<string, SentWebhook>>
  /** Test vectors of altered bytes; `good` ones are equivalent by the channel's rules. */
  vectors(tradeNo: string): readonly { readonly name: string; readonly sent: SentWebhook; readonly good: boolean }[]
  /** Switches to the other signing key. */
  rotate(): void
  /** Parts of credentials that must not reach an error or a log. */
  readonly secrets: readonly string[]
  close(): Promise<void>
}

/** Further test controls of a company with stored payment methods. */
export interface AgreementControls {
  /** Agreements in the company's book, with their states. */
  all(): readonly { readonly agreementNo: string; readonly state: 'open' | 'active' | 'ended' }[]
  /** Accepts or ends an agreement on the company's own pages. Queues a webhook unless `silent`. */
  agree(agreementNo: string, how?: { readonly silent?: boolean }): void
  end(agreementNo: string, how?: { readonly silent?: boolean }): void
  /** Outcome of the next charges. `slow`: accepted, and paid later with `PaymentCompany.pay`. */
  charges(outcome: 'paid' | 'declined' | 'authentication' | 'slow'): void
  /** A valid webhook about an agreement's current state. */
  notice(agreementNo: string): SentWebhook
}

import type { SupplierVendor } from '#platform/server/suppliers/registry.ts'
import type { SupplierTools } from '#platform/server/suppliers/tools.ts'
import type { RawReply, RawRequest } from '#platform/server/feature.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { NumberCountry, NumberService } from '../../words.ts'

export { findMessageCode } from '#platform/server/find-message-code.ts'
export { parseSupplierCost, rateEnv } from '../costs.ts'
export type { Nano, NumberCountry, NumberService, RawReply, RawRequest }

/**
 * A company that rents out phone numbers for text messages. Calls throw `SupplierError`; the reason of a rejection is one of `REFUSALS`.
 * Most suppliers have no idempotency key for rentals: a number whose response was lost is found by `open()` and given back. Costs are
 * nano-dollars.
 */
export interface NumberSupplier {
  readonly name: string
  /** Current price of a number; undefined if none is available. */
  offer(want: NumberRequest): Promise<NumberOffer | undefined>
  rent(call: RentCall): Promise<RentedNumber>
  /** Current state of the number at the supplier, with all messages so far, oldest first. */
  look(rented: RentedNumberRef & { readonly since: Date }): Promise<RentalStatus>
  /** Keeps and pays the number after a message. Idempotent. */
  finish(rented: RentedNumberRef): Promise<void>
  /** Gives the number back unpaid. `too_early`: retry later; `received`: a message is there, so it must be finished and paid. */
  cancel(rented: RentedNumberRef): Promise<CancelOutcome>
  /** All numbers that the supplier holds for us. */
  open(): Promise<readonly RentedNumberRef[]>
  balance(): Promise<Nano>
  /** Parses a webhook from the supplier; undefined if its signature is invalid. It may be a retry from an earlier rental of the number. */
  readNotice?(request: RawRequest, url: string): NumberNotice | undefined
  /** Response that acknowledges a webhook. */
  acknowledge?(): RawReply
}

export type CancelOutcome = 'cancelled' | 'too_early' | 'received'

export interface NumberRequest {
  readonly service: NumberService
  readonly country: NumberCountry
}
export interface NumberOffer {
  readonly cost: Nano
  /** Numbers in stock, if the supplier reports them. */
  readonly count: number
}
export interface RentCall extends NumberRequest {
  /** Our idempotency key, an attempt's id. Stored by suppliers that support keys. */
  readonly key: string
  /** Maximum price; a more expensive number is refused. */
  readonly maxCost: Nano
}
export interface RentedNumberRef {
  readonly ref: string
  /** E.164. */
  readonly number: string
}
export interface RentedNumber extends RentedNumberRef {
  readonly cost: Nano
}
export interface RentalStatus {
  /** `gone`: cancelled or expired at the supplier; receives nothing more and costs nothing. `done`: finished and paid. */
  readonly state: 'open' | 'gone' | 'done'
  readonly messages: readonly NumberMessage[]
}
export interface NumberMessage {
  /** Stable id of the message across polls of its rental. */
  readonly key: string
  /**
   * The supplier's id of the message, or its content and time: identifies it whatever the rental of the number. Absent if the supplier reports
   * neither, which requires that it reports messages of one rental only.
   */
  readonly id?: string
  /** Text of the message; '' if the supplier reports only the code. */
  readonly text: string
  readonly code: string
}
export interface NumberNotice {
  /** Receiving number, E.164. */
  readonly number: string
  readonly message: NumberMessage
}

export const NUMBER_REFUSALS = ['no_numbers', 'no_balance', 'too_dear', 'not_sold', 'account'] as const
/** `account`: our key or account is rejected; an operator must look into it. */
export type NumberRefusal = (typeof NUMBER_REFUSALS)[number]

export type NumberSupplierConfig = Readonly<Record<string, unknown>>

export interface NumberTools extends SupplierTools {
  /** Our webhook URL for the supplier. */
  readonly noticeUrl: () => string
}

export type NumberSupplierVendor = SupplierVendor<NumberSupplier, NumberTools>

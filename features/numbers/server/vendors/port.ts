import type { SupplierTools } from '#platform/server/suppliers/tools.ts'
import type { Shape } from '#platform/server/config.ts'
import type { RawReply, RawRequest } from '#platform/server/feature.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { NumberCountry, NumberService } from '../../words.ts'

export { codeIn } from '#platform/shared/code-in.ts'
export { costOf, rateEnv } from '../costs.ts'
export type { Nano, NumberCountry, NumberService, RawReply, RawRequest, Shape }

/**
 * A company that rents out telephone numbers for text messages. Calls throw `SupplierError`; the reason of a rejection is one of `REFUSALS`.
 * Renting has no key at most of them: what a lost answer rented is found in `open()` and given back. Costs are nano-dollars.
 */
export interface NumberSupplier {
  readonly name: string
  /** Current price of a number; undefined if none is available. */
  offer(want: Want): Promise<Offer | undefined>
  rent(call: RentCall): Promise<Rented>
  /** Current state of the number at the supplier, with all messages so far, oldest first. */
  look(rented: RentedRef & { readonly since: Date }): Promise<Seen>
  /** Keeps and pays the number after a message. Idempotent. */
  finish(rented: RentedRef): Promise<void>
  /** Gives the number back unpaid. `too_early`: retry later; `received`: a message is there, so it must be finished and paid. */
  cancel(rented: RentedRef): Promise<Cancelled>
  /** All numbers that the supplier holds for us. */
  open(): Promise<readonly RentedRef[]>
  balance(): Promise<Nano>
  /** Parses a webhook from the supplier; undefined if its signature is invalid. */
  readNotice?(request: RawRequest, url: string): NumberNotice | undefined
  /** Response that acknowledges a webhook. */
  acknowledge?(): RawReply
}

export type Cancelled = 'cancelled' | 'too_early' | 'received'

export interface Want {
  readonly service: NumberService
  readonly country: NumberCountry
}
export interface Offer {
  readonly cost: Nano
  /** Numbers in stock, if the supplier reports them. */
  readonly count: number
}
export interface RentCall extends Want {
  /** Our idempotency key, an attempt's id. Stored by suppliers that support keys. */
  readonly key: string
  /** Maximum price; a more expensive number is refused. */
  readonly maxCost: Nano
}
export interface RentedRef {
  readonly ref: string
  /** E.164. */
  readonly number: string
}
export interface Rented extends RentedRef {
  readonly cost: Nano
}
export interface Seen {
  /** `gone`: cancelled or expired at the supplier; receives nothing more and costs nothing. `done`: finished and paid. */
  readonly state: 'open' | 'gone' | 'done'
  readonly messages: readonly NumberMessage[]
}
export interface NumberMessage {
  /** The same for the same message, whenever it is asked for. */
  readonly key: string
  /** '' where the supplier tells only the code. */
  readonly text: string
  readonly code: string
}
export interface NumberNotice {
  /** E.164: which number it came to. */
  readonly number: string
  readonly message: NumberMessage
}

export const REFUSALS = ['no_numbers', 'no_balance', 'too_dear', 'not_sold', 'account'] as const
/** `account`: our key or account is rejected; an operator must look into it. */
export type Refused = (typeof REFUSALS)[number]

export type SupplierConfig = Readonly<Record<string, unknown>>

export interface NumberTools extends SupplierTools {
  /** Our webhook URL for the supplier. */
  readonly noticeUrl: () => string
}

export interface SupplierVendor {
  readonly name: string
  readonly sandbox: boolean
  readonly env: Shape
  /** Returns undefined without credentials. */
  readonly connect: (config: SupplierConfig, tools: NumberTools) => NumberSupplier | undefined
}

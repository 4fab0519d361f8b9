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
  /** What a number would cost now; undefined where there is none. */
  offer(want: Want): Promise<Offer | undefined>
  rent(call: RentCall): Promise<Rented>
  /** As it stands there now, with every message so far, oldest first. */
  look(rented: RentedRef & { readonly since: Date }): Promise<Seen>
  /** What has arrived is kept and paid. Done already: the same. */
  finish(rented: RentedRef): Promise<void>
  /** Gives it back unpaid. `too_early`: to be asked again; `received`: a message is there, so it is to be finished and paid. */
  cancel(rented: RentedRef): Promise<Cancelled>
  /** Everything it holds for us now. */
  open(): Promise<readonly RentedRef[]>
  balance(): Promise<Nano>
  /** A message that the supplier sends us itself; undefined for a signature that does not hold. */
  readNotice?(request: RawRequest, url: string): NumberNotice | undefined
  /** What tells the supplier that a notice has been taken. */
  acknowledge?(): RawReply
}

export type Cancelled = 'cancelled' | 'too_early' | 'received'

export interface Want {
  readonly service: NumberService
  readonly country: NumberCountry
}
export interface Offer {
  readonly cost: Nano
  /** Numbers in stock, as far as it tells. */
  readonly count: number
}
export interface RentCall extends Want {
  /** Ours: an attempt's id. Suppliers that know keys keep it. */
  readonly key: string
  /** A dearer number is refused. */
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
  /** `gone`: cancelled or out of time there; nothing comes any more and nothing is paid. `done`: finished and paid. */
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
/** `account`: our key or standing there; somebody has to look. */
export type Refused = (typeof REFUSALS)[number]

export type SupplierConfig = Readonly<Record<string, unknown>>

export interface NumberTools extends SupplierTools {
  /** Where a supplier that sends messages itself reaches us. */
  readonly noticeUrl: () => string
}

export interface SupplierVendor {
  readonly name: string
  readonly sandbox: boolean
  readonly env: Shape
  /** Undefined where no credentials are set. */
  readonly connect: (config: SupplierConfig, tools: NumberTools) => NumberSupplier | undefined
}

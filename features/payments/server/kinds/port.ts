import type { Ctx, Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Wishes } from '../data.ts'
import type { Amounts } from '../settings.ts'

/** What the buyer asked for: a dollar amount (decimal text, at most two places) and what the service needs to know. */
export interface Wish extends Wishes {
  readonly amount?: string
  /** How it is to be paid, where that is known. */
  readonly channelType?: number
}

/** Smallest and largest amount in dollars, by the settings and the channel. */
export interface Bounds {
  readonly min: string
  readonly max: string
}

/** An order as the service sees it. Amounts in nano-dollars. */
export interface SoldOrder {
  readonly orderNo: string
  readonly userId: string
  readonly orderType: number
  /** The channel by its number on the wire; BALANCE_CHANNEL: paid from the balance. */
  readonly channelType: number
  readonly amount: Nano
  readonly wishes: Wishes
  /** The money came after the order had expired or been cancelled. */
  readonly isLate: boolean
  /** Nothing came through a channel: what cannot be delivered undoes the payment. */
  readonly fromBalance: boolean
}

/**
 * One of the sixteen order types: what it costs, how it is delivered, how that is taken back. A service that sells
 * something gives its kind to `registerOrderKind`; everything about paying stays here.
 */
export interface OrderKind {
  /** Its number on the wire (`ORDER_TYPE`, product.md 2.3). */
  readonly orderType: number
  /**
   * `credit`: what is paid becomes the user's balance. `service`: it is our income, and may be paid from the balance. `held`: what a channel
   * brings becomes the user's balance first; there or paid from the balance, `fulfil` holds it, and only delivery charges it.
   */
  readonly earns: 'credit' | 'service' | 'held'
  /** `chosen`: the buyer names the amount within the settings' bounds. `own`: the service has its price. */
  readonly amounts: 'chosen' | 'own'
  /** Bounds and presets of a chosen amount where the service has settings of its own; absent: `payments.amounts`. */
  readonly bounds?: (deps: Deps, buyer: { readonly userId?: string | undefined; readonly channelType: number }) => Promise<Amounts>
  /** Dollars, decimal text, at most two places. Errors: what the buyer must know (AMOUNT_TOO_SMALL, ORDER_SOLD_OUT ...). */
  readonly price: (deps: Deps, userId: string, wish: Wish, bounds: Bounds) => Promise<string>
  /** Names of the errors that `price` may throw, in addition to those of every order. Outside production any other error fails the call. */
  readonly refusals?: readonly string[]
  /** Part of the price that is a deposit, in dollars, frozen with the order; absent or undefined: none. */
  readonly deposit?: (deps: Deps, userId: string, wish: Wish) => Promise<string | undefined>
  /** Percent that this buyer pays on top where the channel's own is higher; absent or undefined: the channel's. */
  readonly feePercent?: (deps: Deps, userId: string) => Promise<string | undefined>
  /**
   * What of a payment from the balance must be credit that was bought, because the service gives it back as money or pays it out for the
   * buyer: a gift never leaves by it. `all`, or so much of an order; absent: gifts pay too, and first.
   */
  readonly bought?: 'all' | ((tx: Tx, order: SoldOrder) => Promise<Nano>)
  /**
   * Refuses a payer who has something to do first, whenever the order is opened or paid from the balance. `isBack`: who says it is done now;
   * what others are still to tell about it is asked first.
   */
  readonly mayPay?: (ctx: Ctx, order: SoldOrder, isBack: boolean) => Promise<void>
  /**
   * Delivers, once, in the transaction that books the money. `later`: call `completeOrder` or `abandonOrder` when it is
   * known. `impossible`: nothing was delivered and nothing will be; the money goes back by itself.
   */
  readonly fulfil: (tx: Tx, order: SoldOrder) => Promise<'done' | 'later' | 'impossible'>
  /** Money of a delivered order went back; `isAll` when nothing of it is left. In the transaction that books it. */
  readonly undo: (tx: Tx, order: SoldOrder, back: { readonly ref: string; readonly amount: Nano; readonly isAll: boolean }) => Promise<void>
}

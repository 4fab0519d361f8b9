import type { Ctx, Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { OrderItemInputs } from '../data.ts'
import type { Amounts } from '../settings.ts'

/** The buyer's request: a dollar amount (decimal text, at most two places) and the service's inputs. */
export interface OrderInput extends OrderItemInputs {
  readonly amount?: string
  /** Channel of the payment, if known. */
  readonly channelType?: number
}

/** Smallest and largest amount in dollars, from the settings and the channel. */
export interface OrderBounds {
  readonly min: string
  readonly max: string
}

/** An order as the service receives it. Amounts in nano-dollars. */
export interface SoldOrder {
  readonly orderNo: string
  readonly userId: string
  readonly orderType: number
  /** The channel by its API number; BALANCE_CHANNEL_TYPE: paid from the balance. */
  readonly channelType: number
  readonly amount: Nano
  readonly wishes: OrderItemInputs
  /** The payment arrived after the order had expired or been cancelled. */
  readonly isLate: boolean
  /** No money came through a channel: if the order cannot be delivered, the payment is rolled back. */
  readonly fromBalance: boolean
}

/**
 * One of the sixteen order types: its price, its delivery, and how delivery is undone. A service that sells something passes its kind to
 * `registerOrderKind`; payments handles the rest.
 */
export interface OrderKind {
  /** API number (`ORDER_TYPE`, product.md 2.3). */
  readonly orderType: number
  /**
   * `credit`: the payment becomes the user's balance. `service`: it is our income, and may be paid from the balance. `held`: a channel
   * payment first becomes the user's balance; from there, or paid from the balance, `fulfil` holds it, and only delivery charges it.
   */
  readonly earns: 'credit' | 'service' | 'held'
  /** `chosen`: the buyer names the amount within the settings' bounds. `own`: the service sets the price. */
  readonly amounts: 'chosen' | 'own'
  /** Bounds and presets of a chosen amount if the service has its own settings; absent: `payments.amounts`. */
  readonly bounds?: (deps: Deps, buyer: { readonly userId?: string | undefined; readonly channelType: number }) => Promise<Amounts>
  /** Dollars, decimal text, at most two places. Errors: those shown to the buyer (AMOUNT_TOO_SMALL, ORDER_SOLD_OUT ...). */
  readonly price: (deps: Deps, userId: string, asked: { readonly wish: OrderInput; readonly bounds: OrderBounds }) => Promise<string>
  /** Names of the errors that `price` may throw, in addition to those of every order. Outside production any other error fails the call. */
  readonly refusals?: readonly string[]
  /** Deposit within the price, in dollars, frozen with the order; absent or undefined: none. */
  readonly deposit?: (deps: Deps, userId: string, wish: OrderInput) => Promise<string | undefined>
  /** Fee percent of this buyer if the channel's percent is higher; absent or undefined: the channel's. */
  readonly feePercent?: (deps: Deps, userId: string) => Promise<string | undefined>
  /**
   * Part of a balance payment that must be purchased credit, because the service refunds it as money or pays it out for the buyer: granted
   * credit must not leave this way. `all`, or an amount per order; absent: granted credit pays too, and first.
   */
  readonly bought?: 'all' | ((tx: Tx, order: SoldOrder) => Promise<Nano>)
  /**
   * Refuses a payer with an outstanding step, whenever the order is opened or paid from the balance. `isBack`: the payer claims it is done,
   * so pending results of other systems are queried first.
   */
  readonly mayPay?: (ctx: Ctx, order: SoldOrder, isBack: boolean) => Promise<void>
  /**
   * Delivers, once, in the transaction that books the money. `later`: call `completeOrder` or `abandonOrder` once the outcome is
   * certain. `impossible`: nothing was or will be delivered, and the money is refunded automatically.
   */
  readonly fulfil: (tx: Tx, order: SoldOrder) => Promise<'done' | 'later' | 'impossible'>
  /** Undoes part or all of a delivered order in the transaction that books its refund; `isAll` if nothing of it is left. */
  readonly undo: (tx: Tx, order: SoldOrder, back: { readonly ref: string; readonly amount: Nano; readonly isAll: boolean }) => Promise<void>
}

import type { StandInServer } from '#stand-ins/kit/server.ts'
import type { Nano, NumberSupplier } from '../vendors/port.ts'

/** An in-memory fake of a supplier, with its own records. */
export interface InMemorySupplier {
  readonly supplier: NumberSupplier
  readonly company: StandInServer
  /** Current price of a number. */
  price: Nano
  /** Numbers left to rent. */
  stock: number
  funds: Nano
  /** The supplier rejects our key. */
  locked: boolean
  /** Delivers a message to a number. */
  deliver(number: string, text: string): void
  /** Lets the number time out at the supplier. */
  timeOut(number: string): void
  /** The supplier's own records: the sum charged for good, and the numbers it holds for us. */
  book(): { readonly spent: Nano; readonly open: readonly string[] }
}

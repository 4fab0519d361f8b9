import type { Company } from '#platform/testing/fake-company.ts'
import type { Nano, NumberSupplier } from '../vendors/port.ts'

/** A supplier's company in memory, with a book of its own. */
export interface PlayedSupplier {
  readonly supplier: NumberSupplier
  readonly company: Company
  /** What a number costs there now. */
  price: Nano
  /** Numbers left to rent. */
  stock: number
  funds: Nano
  /** Takes our key no longer. */
  locked: boolean
  /** A message comes to a number. */
  deliver(number: string, text: string): void
  /** Its own time is over. */
  timeOut(number: string): void
  /** What it took for good, and what it holds for us. */
  book(): { readonly spent: Nano; readonly open: readonly string[] }
}

import type { Deps } from '#platform/server/feature.ts'
import { clearWait, noteWait } from '#platform/server/suppliers/waits.ts'
import { outcomeOf, unknown } from '#platform/shared/supplier-error.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { endStranger, noteStrangers } from '../data-suppliers.ts'
import type { Stranger } from '../data-suppliers.ts'
import { suppliersOf } from '../suppliers.ts'
import type { NumberSupplier } from '../vendors/port.ts'

/** Longer than a number is looked for: an order that may still name it has long ended. */
const UNKNOWN_MINUTES = 3

export const holdingsOf = (supplier: string): string => `supplier:numbers.${supplier}`

/** Job: what suppliers hold for us and no order knows (its answer was lost, or we died over it) is given back. */
export async function clearStrangers(deps: Deps, minutes = UNKNOWN_MINUTES): Promise<void> {
  for (const supplier of suppliersOf(deps)) {
    try {
      for (const stranger of await noteStrangers(deps.db, supplier.name, await supplier.open(), minutes)) await clearOne(deps, supplier, stranger)
      await clearWait(deps.db, holdingsOf(supplier.name))
    } catch (error) {
      const { message, reason, detail } = outcomeOf(error)
      deps.log.warn({ supplier: supplier.name, why: message }, "a supplier's open numbers could not be read")
      // Something may be rented there that no order knows: after a day the operators have to look
      const call = { subject: holdingsOf(supplier.name), port: 'numbers', supplier: supplier.name, operation: 'open' }
      await noteWait(deps.db, call, unknown(reason, detail))
    }
  }
}

async function clearOne(deps: Deps, supplier: NumberSupplier, stranger: Stranger): Promise<void> {
  const said = await supplier.cancel(stranger)
  if (said === 'too_early') return
  if (said === 'received') await supplier.finish(stranger)
  await endStranger(deps.db, stranger, said === 'received' ? 'kept' : 'given_back')
  countEvent('numbers.stranger')
  deps.log.warn({ supplier: stranger.supplier, ref: stranger.ref }, 'a number without an order was given back')
}

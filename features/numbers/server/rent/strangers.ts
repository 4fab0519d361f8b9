import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { endStranger, noteStrangers } from '../data-suppliers.ts'
import type { Stranger } from '../data-suppliers.ts'
import { suppliersOf } from '../suppliers.ts'
import type { NumberSupplier } from '../vendors/port.ts'

/** Longer than a number is looked for: an order that may still name it has long ended. */
const UNKNOWN_MINUTES = 3

/** Job: what suppliers hold for us and no order knows (its answer was lost, or we died over it) is given back. */
export async function clearStrangers(deps: Deps, minutes = UNKNOWN_MINUTES): Promise<void> {
  for (const supplier of suppliersOf(deps)) {
    try {
      for (const stranger of await noteStrangers(deps.db, supplier.name, await supplier.open(), minutes)) await clearOne(deps, supplier, stranger)
    } catch (error) {
      deps.log.warn({ supplier: supplier.name, why: (error as Error).message }, 'a supplier does not tell what it holds')
    }
  }
}

async function clearOne(deps: Deps, supplier: NumberSupplier, stranger: Stranger): Promise<void> {
  const said = await supplier.cancel(stranger)
  if (said === 'too_early') return
  if (said === 'received') await supplier.finish(stranger)
  await endStranger(deps.db, stranger, said === 'received' ? 'kept' : 'given_back')
  countEvent('numbers.stranger')
  deps.log.warn({ supplier: stranger.supplier, ref: stranger.ref }, 'a number that no order knows was given back')
}

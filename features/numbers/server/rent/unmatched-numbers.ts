import type { Deps } from '#platform/server/feature.ts'
import { clearWait, recordWait } from '#platform/server/suppliers/waits.ts'
import { asSupplierError, unknownError } from '#platform/shared/suppliers/supplier-error.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { endUnmatchedNumber, recordUnmatchedNumbers } from '../data.ts'
import type { UnmatchedNumber } from '../data.ts'
import { listNumberSuppliers } from '../vendors/index.ts'
import type { NumberSupplier } from '../vendors/port.ts'

/** Longer than the search for a number: an order that could still claim it has ended by then. */
const UNMATCHED_MINUTES = 3

export const holdingsSubject = (supplier: string): string => `supplier:numbers.${supplier}`

/** Job: gives back numbers that suppliers hold for us without an order, e.g. after a lost response or a crash. */
export async function releaseUnmatchedNumbers(deps: Deps, minutes = UNMATCHED_MINUTES): Promise<void> {
  for (const supplier of listNumberSuppliers(deps)) {
    try {
      for (const stranger of await recordUnmatchedNumbers(deps.db, supplier.name, { open: await supplier.open(), minutes }))
        await releaseUnmatchedNumber(deps, supplier, stranger)
      await clearWait(deps.db, holdingsSubject(supplier.name))
    } catch (error) {
      const { message, reason, detail } = asSupplierError(error)
      deps.log.warn({ supplier: supplier.name, why: message }, "a supplier's open numbers could not be read")
      // The supplier may still charge for it: after a day operators are alerted
      const call = { subject: holdingsSubject(supplier.name), port: 'numbers', supplier: supplier.name, operation: 'open' }
      await recordWait(deps.db, call, unknownError(reason, detail))
    }
  }
}

async function releaseUnmatchedNumber(deps: Deps, supplier: NumberSupplier, stranger: UnmatchedNumber): Promise<void> {
  const said = await supplier.cancel(stranger)
  if (said === 'too_early') return
  if (said === 'received') await supplier.finish(stranger)
  await endUnmatchedNumber(deps.db, stranger, said === 'received' ? 'kept' : 'given_back')
  countEvent('numbers.stranger')
  deps.log.warn({ supplier: stranger.supplier, ref: stranger.ref }, 'a number without an order was given back')
}

import type { Deps } from '#platform/server/feature.ts'
import { crashPoint } from '#platform/server/crash.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { selectSupplierCalls } from '#features/services/server/door.ts'
import type { Task } from '#features/services/server/door.ts'
import { endRental, insertRental, findRental } from '../data.ts'
import type { Rental } from '../data.ts'
import { findNumberSupplier } from '../vendors/index.ts'
import { storeNumberMessages } from '../watch/messages.ts'
import { listRentCalls } from './find-number.ts'
import type { NumberFacts } from './find-number.ts'

/** Longer than the timeout of a supplier call. */
const CALL_TIMEOUT_MS = 60_000

/** Settles all numbers rented for an ended order: kept and paid, or given back. Returns false if some are still open. */
export async function releaseNumbers(deps: Deps, task: Task): Promise<boolean> {
  const calls = listRentCalls(await selectSupplierCalls(deps.db, task.id))
  // Another process may still wait for a supplier's response, which decides
  const asking = calls.some(({ state }) => state === 'meant') && task.now.getTime() - (task.finishedAt ?? task.now).getTime() < CALL_TIMEOUT_MS
  let all = !asking
  for (const call of calls) {
    if (call.state !== 'answered') continue
    const { ref, number, cost } = call.answer as { ref: string; number: string; cost: string }
    all = (await releaseNumber(deps, await ensureRental(deps, task, { supplier: call.supplier, ref, number, cost: parseUsd(cost) }))) && all
  }
  return all
}

/** Creates the row of a rental that was made but never used for the order. */
async function ensureRental(deps: Deps, task: Task, one: Pick<Rental, 'supplier' | 'ref' | 'number' | 'cost'>): Promise<Rental> {
  const known = await findRental(deps.db, one.supplier, one.ref)
  if (known) return known
  const { service, country } = task.facts as unknown as NumberFacts
  await transact(deps.db, SYSTEM, async (tx) => {
    await insertRental(tx, { ...one, taskId: task.id, userId: task.userId, service, country })
    await tx.audit('number.unused', `service:${task.id}`, { supplier: one.supplier })
  })
  return (await findRental(deps.db, one.supplier, one.ref))!
}

async function releaseNumber(deps: Deps, rental: Rental): Promise<boolean> {
  if (rental.state !== 'open') return true
  const supplier = findNumberSupplier(deps, rental.supplier)
  if (!supplier) throw new Error(`${rental.supplier} is not connected any more`)
  // Keep messages that arrived at the last moment
  const seen = await supplier.look(rental)
  await storeNumberMessages(deps, rental, seen.messages)
  crashPoint('numbers.before-giving-back')
  const paid = seen.messages.length > 0 || rental.receivedAt !== null
  const said = seen.state !== 'open' ? seen.state : paid ? 'received' : await supplier.cancel(rental)
  if (said === 'too_early') return false
  if (said === 'received') {
    if (!paid) await storeNumberMessages(deps, rental, (await supplier.look(rental)).messages)
    await supplier.finish(rental)
  }
  crashPoint('numbers.after-giving-back')
  await endRental(deps.db, rental, paid || said === 'received' || said === 'done' ? 'kept' : 'given_back')
  return true
}

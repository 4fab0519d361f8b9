import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { moveTask, selectTask } from '#features/services/server/door.ts'
import { endRental, scheduleRentalCheck, notifyNumberWaiters, takeDueRentals } from '../data.ts'
import type { Rental } from '../data.ts'
import { findNumberSupplier } from '../vendors/index.ts'
import { storeNumberMessages } from './messages.ts'

const BATCH = 200
/** Concurrent polls per supplier. */
const MAX_CONCURRENT_CHECKS = 16
const POLL_SECONDS = 1
/** Poll interval of a number that has its message; only a second one can follow. */
const RECEIVED_POLL_SECONDS = 4
/** Maximum duration of a run with slow suppliers, as numbers at other suppliers become due again. */
const MAX_RUN_MS = 1_000

const runningChecks = new WeakMap<object, Set<string>>()

/** Job: polls all due numbers, at all suppliers concurrently. */
export async function watchNumbers(deps: Deps): Promise<void> {
  const running = runningChecks.get(deps.db) ?? new Set<string>()
  runningChecks.set(deps.db, running)
  const lanes = new Map<string, Rental[]>()
  for (const rental of await takeDueRentals(deps.db, BATCH)) {
    const key = `${rental.supplier}:${rental.ref}`
    if (running.has(key)) continue
    running.add(key)
    lanes.set(rental.supplier, [...(lanes.get(rental.supplier) ?? []), rental])
  }
  const looked = Promise.all([...lanes.values()].map((lane) => checkRentals(deps, lane, running)))
  let timer: NodeJS.Timeout | undefined
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, MAX_RUN_MS)
  })
  await Promise.race([looked, enough])
  clearTimeout(timer)
}

async function checkRentals(deps: Deps, lane: Rental[], running: Set<string>): Promise<void> {
  const next = async (): Promise<void> => {
    for (let rental = lane.shift(); rental; rental = lane.shift()) {
      await checkRental(deps, rental).catch((error: unknown) => deps.log.error({ err: error, taskId: rental!.taskId }, 'a number could not be looked at'))
      running.delete(`${rental.supplier}:${rental.ref}`)
    }
  }
  await Promise.all(Array.from({ length: MAX_CONCURRENT_CHECKS }, next))
}

/** Polls one number for messages and its state at the supplier. Safe at any time, in any number of processes. */
export async function checkRental(deps: Deps, rental: Rental): Promise<void> {
  const supplier = findNumberSupplier(deps, rental.supplier)
  try {
    if (!supplier) throw new Error(`${rental.supplier} is not connected any more`)
    const { state, messages } = await supplier.look(rental)
    await storeNumberMessages(deps, rental, messages)
    if (state !== 'open') await endAtSupplier(deps, rental, { state, paid: messages.length > 0 || rental.receivedAt !== null })
    else await scheduleRentalCheck(deps.db, rental, { seconds: messages.length || rental.receivedAt ? RECEIVED_POLL_SECONDS : POLL_SECONDS, failed: false })
  } catch (error) {
    countEvent('numbers.look_failed')
    deps.log.warn({ taskId: rental.taskId, supplier: rental.supplier, why: (error as Error).message }, "a number's messages could not be read")
    await scheduleRentalCheck(deps.db, rental, { seconds: Math.min(POLL_SECONDS * 2 ** Math.min(rental.failures, 5), 20), failed: true })
  }
}

/** Handles an end at the supplier: without a message the member gets the use back at once. */
async function endAtSupplier(deps: Deps, rental: Rental, { state, paid }: { readonly state: 'gone' | 'done'; readonly paid: boolean }): Promise<void> {
  await endRental(deps.db, rental, paid || state === 'done' ? 'kept' : 'given_back')
  const task = await selectTask(deps.db, rental.taskId)
  if (task?.supplierRef !== rental.ref) return
  await transact(deps.db, SYSTEM, async (tx) => {
    await moveTask(deps, tx, { id: rental.taskId, from: ['waiting'], to: { to: 'expired', cause: 'supplier_ended' } }) // audited by moveTask
    await notifyNumberWaiters(tx, rental.taskId)
  })
}

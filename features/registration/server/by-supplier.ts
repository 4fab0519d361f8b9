import { isRejected } from '#platform/shared/supplier-error.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { unseal } from '#platform/server/sealing/seal.ts'
import { askSupplier, callsOf, deskHours } from '#features/services/server/door.ts'
import type { Again, Learned, Task } from '#features/services/server/door.ts'
import { secretOf } from './data.ts'
import { supplierNamed, supplierNow } from './vendors/index.ts'
import type { Job, RegistrationSupplier } from './vendors/port.ts'

export const PURPOSE = 'registration.password'
const SUBMIT = 'submit'
const LOOK_SECONDS = 5
/** Poll interval for orders at the desk: a supplier connected later takes those still waiting. */
const AT_DESK_SECONDS = 600
const CAUSES: Readonly<Record<string, string>> = {
  ip_limit: 'ip_limit',
  mailbox_refused: 'mailbox_refused',
  account_exists: 'account_exists',
  code_missing: 'code_missing',
}

/** Moves an order from the desk to the supplier if one is chosen, no operator holds the lease, and it was not submitted before. */
export async function handOver(deps: Deps, task: Task): Promise<Learned | Again> {
  const supplier = await supplierNow(deps)
  if (!supplier || task.taken_by !== null || (await callsOf(deps.db, task.id)).length) return { seconds: AT_DESK_SECONDS }
  return { to: 'sent', supplier: supplier.name }
}

/**
 * Submits an order to the supplier once, then polls it for the result. If the
 * supplier has no capacity, the order returns to our desk while that is open.
 */
export async function follow(deps: Deps, task: Task): Promise<Learned | Again> {
  const supplier = supplierNamed(deps, task.supplier)
  if (!supplier) throw new Error(`${task.supplier} is not connected`)
  const handedIn = await handIn(deps, task, supplier)
  if ('refused' in handedIn) return refusedBy(deps, handedIn.refused)
  // A failed lookup decides nothing about the submission
  return outcomeOf(await supplier.look(handedIn.ref), handedIn.ref)
}

async function handIn(deps: Deps, task: Task, supplier: RegistrationSupplier): Promise<{ ref: string } | { refused: string }> {
  try {
    return await askSupplier(deps, task, {
      supplier: supplier.name,
      verb: SUBMIT,
      leaves: true,
      run: async (key) => ({ ref: (await supplier.submit({ key, ...(await typed(deps, task)) })).ref }),
      find: async (key) => {
        const known = await supplier.find(key)
        return known && { ref: known.ref }
      },
    })
  } catch (error) {
    if (!isRejected(error)) throw error
    return { refused: error.reason }
  }
}

async function typed(deps: Deps, task: Task): Promise<{ account: string; password: string; attempt: number }> {
  const sealed = await secretOf(deps.db, task.id)
  if (!sealed) throw new Error(`${task.id} has no password any more`)
  return {
    account: String(task.facts['account'] ?? ''),
    password: unseal(deps.secretKeys, PURPOSE, task.id, sealed),
    attempt: Number(task.facts['attempt'] ?? 1),
  }
}

function outcomeOf(job: Job, ref: string): Learned | Again {
  if (job.state === 'done') return { to: 'success', supplierRef: ref }
  if (job.state === 'working') return { seconds: LOOK_SECONDS }
  return { to: 'failed', cause: CAUSES[job.reason ?? ''] ?? 'not_done', supplierRef: ref }
}

async function refusedBy(deps: Deps, refused: string): Promise<Learned> {
  if (CAUSES[refused]) return { to: 'failed', cause: CAUSES[refused] }
  return (await deskHours(deps)).isOpen ? { to: 'registering', supplier: '', note: refused } : { to: 'failed', cause: 'not_done' }
}

/** Cancels abandoned submissions. If the supplier finished one anyway, we absorb the cost, once. */
export async function cancelThere(deps: Deps, task: Task): Promise<boolean> {
  if (task.state === 'success') return true
  const call = (await callsOf(deps.db, task.id)).find(({ verb }) => verb === SUBMIT)
  if (!call || call.state === 'refused') return true
  const supplier = supplierNamed(deps, call.supplier)
  if (!supplier) return false
  const ref = (call.answer?.['ref'] as string | undefined) ?? (await supplier.find(call.key))?.ref
  if (ref === undefined) return true
  if ((await supplier.cancel(ref)) === 'done')
    await transact(deps.db, SYSTEM, (tx) => tx.audit('registration.came_late', `service:${task.id}`, { supplier: supplier.name, ref }))
  return true
}

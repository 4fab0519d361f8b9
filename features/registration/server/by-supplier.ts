import { isRejected } from '#platform/shared/suppliers/supplier-error.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { unseal } from '#platform/server/sealing/seal.ts'
import { callSupplier, selectSupplierCalls, readDeskHours } from '#features/services/server/door.ts'
import type { TaskRecheck, TaskTransition, Task } from '#features/services/server/door.ts'
import { findRegistrationSecret } from './data.ts'
import { findRegistrationSupplier, findChosenSupplier } from './vendors/index.ts'
import type { RegistrationJob, RegistrationSupplier } from './vendors/port.ts'

export const REGISTRATION_PASSWORD_PURPOSE = 'registration.password'
const SUBMIT_VERB = 'submit'
const POLL_SECONDS = 5
/** Poll interval for orders at the desk: a supplier connected later takes those still waiting. */
const DESK_POLL_SECONDS = 600
const CAUSE_BY_REFUSAL: Readonly<Record<string, string>> = {
  ip_limit: 'ip_limit',
  mailbox_refused: 'mailbox_refused',
  account_exists: 'account_exists',
  code_missing: 'code_missing',
}

/** Moves an order from the desk to the supplier if one is chosen, no operator holds the lease, and it was not submitted before. */
export async function moveToSupplier(deps: Deps, task: Task): Promise<TaskTransition | TaskRecheck> {
  const supplier = await findChosenSupplier(deps)
  if (!supplier || task.takenBy !== null || (await selectSupplierCalls(deps.db, task.id)).length) return { seconds: DESK_POLL_SECONDS }
  return { to: 'sent', supplier: supplier.name }
}

/**
 * Submits an order to the supplier once, then polls it for the result. If the
 * supplier has no capacity, the order returns to our desk while that is open.
 */
export async function followSupplierJob(deps: Deps, task: Task): Promise<TaskTransition | TaskRecheck> {
  const supplier = findRegistrationSupplier(deps, task.supplier)
  if (!supplier) throw new Error(`${task.supplier} is not connected`)
  const handedIn = await submitJob(deps, task, supplier)
  if ('refused' in handedIn) return resolveRefusal(deps, handedIn.refused)
  // A failed lookup decides nothing about the submission
  return resolveOutcome(await supplier.look(handedIn.ref), handedIn.ref)
}

async function submitJob(deps: Deps, task: Task, supplier: RegistrationSupplier): Promise<{ ref: string } | { refused: string }> {
  try {
    return await callSupplier(deps, task, {
      supplier: supplier.name,
      verb: SUBMIT_VERB,
      leaves: true,
      run: async (key) => ({ ref: (await supplier.submit({ key, ...(await readMemberInput(deps, task)) })).ref }),
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

async function readMemberInput(deps: Deps, task: Task): Promise<{ account: string; password: string; attempt: number }> {
  const sealed = await findRegistrationSecret(deps.db, task.id)
  if (!sealed) throw new Error(`${task.id} has no password any more`)
  return {
    account: String(task.facts['account'] ?? ''),
    password: unseal(deps.secretKeys, REGISTRATION_PASSWORD_PURPOSE, { owner: task.id, sealed }),
    attempt: Number(task.facts['attempt'] ?? 1),
  }
}

function resolveOutcome(job: RegistrationJob, ref: string): TaskTransition | TaskRecheck {
  if (job.state === 'done') return { to: 'success', supplierRef: ref }
  if (job.state === 'working') return { seconds: POLL_SECONDS }
  return { to: 'failed', cause: CAUSE_BY_REFUSAL[job.reason ?? ''] ?? 'not_done', supplierRef: ref }
}

async function resolveRefusal(deps: Deps, refused: string): Promise<TaskTransition> {
  if (CAUSE_BY_REFUSAL[refused]) return { to: 'failed', cause: CAUSE_BY_REFUSAL[refused] }
  return (await readDeskHours(deps)).isOpen ? { to: 'registering', supplier: '', note: refused } : { to: 'failed', cause: 'not_done' }
}

/** Cancels abandoned submissions. If the supplier finished one anyway, we absorb the cost, once. */
export async function cancelSupplierJob(deps: Deps, task: Task): Promise<boolean> {
  if (task.state === 'success') return true
  const call = (await selectSupplierCalls(deps.db, task.id)).find(({ verb }) => verb === SUBMIT_VERB)
  if (!call || call.state === 'refused') return true
  const supplier = findRegistrationSupplier(deps, call.supplier)
  if (!supplier) return false
  const ref = (call.answer?.['ref'] as string | undefined) ?? (await supplier.find(call.key))?.ref
  if (ref === undefined) return true
  if ((await supplier.cancel(ref)) === 'done')
    await transact(deps.db, SYSTEM, (tx) => tx.audit('registration.came_late', `service:${task.id}`, { supplier: supplier.name, ref }))
  return true
}

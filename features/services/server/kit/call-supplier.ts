import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { asSupplierError, rejectedError, unknownError } from '#platform/shared/suppliers/supplier-error.ts'
import { recordCallAnswer, resetCallAttempts, recordCallIntent, recordCallRefusal } from './data-calls.ts'
import type { Task } from './data.ts'

export interface SupplierRequest<T extends Readonly<Record<string, unknown>>> {
  readonly supplier: string
  /** Name of the call, unique in a task; a repeated call of the same kind appends a number. */
  readonly verb: string
  /** True if the call creates something at the supplier that must be given back at the end (`ServiceSpec.giveBack`). */
  readonly leaves?: boolean
  /** Makes the call under the idempotency key. Throws `SupplierError`; any other error counts as `unknown`. */
  readonly run: (key: string) => Promise<T>
  /** Looks up the result of the key, if the supplier can; called before a retry after a lost response. */
  readonly find?: (key: string) => Promise<T | undefined>
}

/**
 * Calls a supplier outside every transaction. The intent is committed before the call and the result after it, so the supplier
 * creates nothing without an order, and a repeated call returns the stored result. Results are stored, so they must hold no secrets.
 * Throws `SupplierError`: a rejection is stored and final; `retryable` and `unknown` are retried under the same key.
 * `retryable` means that nothing was created under the key, in this attempt or before: a failed lookup is `unknown`.
 */
export async function callSupplier<T extends Readonly<Record<string, unknown>>>(deps: Deps, task: Task, ask: SupplierRequest<T>): Promise<T> {
  const key = `${task.id}:${ask.verb}`
  const call = await transact(deps.db, SYSTEM, async (tx) => {
    await tx.audit('service.supplier_asked', `service:${task.id}`, { supplier: ask.supplier, verb: ask.verb })
    return recordCallIntent(tx, { key, taskId: task.id, supplier: ask.supplier, verb: ask.verb, leaves: ask.leaves ?? false })
  })
  if (!call) throw new Error(`${task.id} has ended; ${ask.supplier} is not asked to ${ask.verb}`)
  if (call.state === 'answered') return call.answer as T
  if (call.state === 'refused') throw rejectedError(call.refused ?? '')
  crashPoint('services.before-call')
  try {
    const answer = (call.tries > 1 ? await ask.find?.(key).catch(throwUncertain) : undefined) ?? (await ask.run(key))
    crashPoint('services.after-call')
    await recordCallAnswer(deps.db, key, answer)
    return answer
  } catch (error) {
    const outcome = asSupplierError(error)
    if (outcome.kind === 'unknown') countEvent('services.supplier_unknown')
    if (outcome.kind === 'rejected') await recordCallRefusal(deps.db, key, outcome.reason)
    if (outcome.kind === 'retryable') await resetCallAttempts(deps.db, key)
    throw outcome
  }
}

/** A failed lookup decides nothing: a lost call may have succeeded. */
function throwUncertain(error: unknown): never {
  const { reason, detail } = asSupplierError(error)
  throw unknownError(reason, detail)
}

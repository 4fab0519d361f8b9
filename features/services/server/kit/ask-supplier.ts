import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { countEvent } from '#platform/server/metrics.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { outcomeOf, rejected, unknown } from '#platform/shared/supplier-error.ts'
import { answerCall, forgetTries, meanCall, refuseCall } from './data-calls.ts'
import type { Task } from './data.ts'

export interface SupplierAsk<T extends Readonly<Record<string, unknown>>> {
  readonly supplier: string
  /** What is asked, once a task; a second of the same verb takes a number behind it. */
  readonly verb: string
  /** It leaves something at the supplier that has to be given back at the end (`ServiceSpec.giveBack`). */
  readonly leaves?: boolean
  /** Asks, under the key. Throws `SupplierError`; any other error counts as `unknown`. */
  readonly run: (key: string) => Promise<T>
  /** What was made under the key, where the supplier can tell; asked for first when an answer was lost. */
  readonly find?: (key: string) => Promise<T | undefined>
}

/**
 * Asks a supplier outside every transaction, so that nothing it makes is without an order: the intent is committed before, the answer
 * after, and who comes again gets the answer that is there. What it answers is kept, so nothing secret.
 * Throws `SupplierError`: a rejection is kept and final; `retryable` and `unknown` are asked again under the same key. `retryable` means that
 * surely nothing was made under it, in this attempt or before: a question that failed is `unknown`.
 */
export async function askSupplier<T extends Readonly<Record<string, unknown>>>(deps: Deps, task: Task, ask: SupplierAsk<T>): Promise<T> {
  const key = `${task.id}:${ask.verb}`
  const call = await transact(deps.db, SYSTEM, async (tx) => {
    await tx.audit('service.supplier_asked', `service:${task.id}`, { supplier: ask.supplier, verb: ask.verb })
    return meanCall(tx, { key, taskId: task.id, supplier: ask.supplier, verb: ask.verb, leaves: ask.leaves ?? false })
  })
  if (!call) throw new Error(`${task.id} has ended; ${ask.supplier} is not asked to ${ask.verb}`)
  if (call.state === 'answered') return call.answer as T
  if (call.state === 'refused') throw rejected(call.refused ?? '')
  crashPoint('services.before-call')
  try {
    const answer = (call.tries > 1 ? await ask.find?.(key).catch(uncertain) : undefined) ?? (await ask.run(key))
    crashPoint('services.after-call')
    await answerCall(deps.db, key, answer)
    return answer
  } catch (error) {
    const outcome = outcomeOf(error)
    if (outcome.kind === 'unknown') countEvent('services.supplier_unknown')
    if (outcome.kind === 'rejected') await refuseCall(deps.db, key, outcome.reason)
    if (outcome.kind === 'retryable') await forgetTries(deps.db, key)
    throw outcome
  }
}

/** A failed lookup decides nothing: a lost call may have succeeded. */
function uncertain(error: unknown): never {
  const { reason, detail } = outcomeOf(error)
  throw unknown(reason, detail)
}

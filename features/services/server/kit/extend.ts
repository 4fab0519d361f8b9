import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { applyMove, lockTaskInStates } from './move.ts'
import type { Task } from './data.ts'

/**
 * Extends a task in use. `longer` computes the new end from the locked task, so concurrent extensions add up. Returns undefined if the
 * task is no longer in use or `longer` returns undefined.
 */
export async function extendTask(
  deps: Deps,
  tx: Tx,
  {
    id,
    state,
    longer,
    facts = {},
  }: {
    readonly id: string
    readonly state: string
    readonly longer: (task: Task & { readonly expiresAt: Date }) => Date | undefined
    readonly facts?: Readonly<Record<string, unknown>>
  },
): Promise<Task | undefined> {
  const task = await lockTaskInStates(tx, id, [state])
  if (!task?.expiresAt) return undefined
  const expiresAt = longer({ ...task, expiresAt: task.expiresAt })
  return expiresAt && applyMove(deps, tx, { task, to: { to: state, expiresAt, facts, note: 'extended' } })
}

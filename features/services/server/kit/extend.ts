import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { applyMove, lockTaskInStates } from './move.ts'
import type { Task } from './data.ts'

/** More time for what is used: `longer` works it out from the locked task, so two at once add up. Undefined: it is not used any more, or `longer` wants none. */
export async function extendTask(
  deps: Deps,
  tx: Tx,
  id: string,
  state: string,
  longer: (task: Task & { readonly expires_at: Date }) => Date | undefined,
  facts: Readonly<Record<string, unknown>> = {},
): Promise<Task | undefined> {
  const task = await lockTaskInStates(tx, id, [state])
  if (!task?.expires_at) return undefined
  const expiresAt = longer({ ...task, expires_at: task.expires_at })
  return expiresAt && applyMove(deps, tx, task, { to: state, expiresAt, facts, note: 'extended' })
}

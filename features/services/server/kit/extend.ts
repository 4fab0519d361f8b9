import type { Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { moveTask } from './move.ts'
import type { Task } from './data.ts'

/** More time for what is used, from its end on. Undefined: it is not used any more. */
export async function extendTask(
  deps: Deps,
  tx: Tx,
  id: string,
  state: string,
  until: Date,
  facts: Readonly<Record<string, unknown>> = {},
): Promise<Task | undefined> {
  return moveTask(deps, tx, id, [state], { to: state, expiresAt: until, facts, note: 'extended' })
}

import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { beginTask, moveTask } from '#features/services/server/door.ts'
import { REGISTRATION_SERVICE } from './service.ts'

/** Creates a failed registration that was never paid. Returns its id. */
export async function aFailedRegistration(deps: Deps, userId: string): Promise<string> {
  return transact(deps.db, SYSTEM, async (tx) => {
    const facts = { account: 'failed@example.com', attempt: 1 }
    const { task } = await beginTask(deps, tx, { service: REGISTRATION_SERVICE, userId, product: 'account', facts, price: 0n })
    await moveTask(deps, tx, { id: task.id, from: ['registering'], to: { to: 'failed', cause: 'ip_limit' } })
    return task.id
  })
}

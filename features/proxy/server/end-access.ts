import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { endUsesOfUser, endUserExtensions } from './data.ts'

type EndedAccess = { readonly userId: string }

/** Ends a user's uses; their tunnels are cut at the next check. Idempotent. */
export async function endOpenUses({ db }: Deps, { userId }: EndedAccess): Promise<void> {
  await transact(db, SYSTEM, async (tx) => {
    for (const id of await endUsesOfUser(tx, userId)) await tx.audit('proxy.ended', `use:${id}`, { userId, because: 'account' })
  })
}

/** Ends a user's uses and also signs out the extensions, which open them without a login: for closed accounts and leaked secrets. */
export async function endAccess(deps: Deps, ended: EndedAccess): Promise<void> {
  const { userId } = ended
  await transact(deps.db, SYSTEM, async (tx) => {
    for (const id of await endUserExtensions(tx, userId)) await tx.audit('proxy.extension-out', `extension:${id}`, { userId, because: 'account' })
  })
  await endOpenUses(deps, ended)
}

import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { endUsesOfUser } from './data.ts'
import { endExtensionsOf } from './data-extension.ts'

type Ended = { readonly userId: string }

/** Ends whatever the proxy has open for a user; its tunnels are cut with the next look. May run twice. */
export async function endOpen({ db }: Deps, { userId }: Ended): Promise<void> {
  await transact(db, SYSTEM, async (tx) => {
    for (const id of await endUsesOfUser(tx, userId)) await tx.audit('proxy.ended', `use:${id}`, { userId, because: 'account' })
  })
}

/** The same, and signs out what opens it without a login: of who closed the account, or whose secrets somebody else may know. */
export async function endAccess(deps: Deps, ended: Ended): Promise<void> {
  const { userId } = ended
  await transact(deps.db, SYSTEM, async (tx) => {
    for (const id of await endExtensionsOf(tx, userId)) await tx.audit('proxy.extension-out', `extension:${id}`, { userId, because: 'account' })
  })
  await endOpen(deps, ended)
}

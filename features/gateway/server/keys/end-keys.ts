import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { deleteAlertSettings } from '../alerts/data-alerts.ts'
import { endUserKeys } from './data.ts'

/** Ends all keys and alerts of a user who closed the account or whose secrets may have leaked. Idempotent. */
export async function endKeys({ db }: Deps, { userId }: { readonly userId: string }): Promise<void> {
  await transact(db, SYSTEM, async (tx) => {
    await deleteAlertSettings(tx, userId)
    for (const { keyId } of await endUserKeys(tx, userId)) await tx.audit('key.deleted', `key:${keyId}`, { because: 'user' })
  })
}

import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import { dropAlertSettings } from '../alerts/data-alerts.ts'
import { endKeysOf } from './data.ts'

/** Ends every key of a user, and the alerts, who closed the account, or whose secrets may be known to somebody else. May run twice. */
export async function endKeys({ db }: Deps, { userId }: { readonly userId: string }): Promise<void> {
  await transact(db, SYSTEM, async (tx) => {
    await dropAlertSettings(tx, userId)
    for (const { key_id: keyId } of await endKeysOf(tx, userId)) await tx.audit('key.deleted', `key:${keyId}`, { because: 'user' })
  })
}

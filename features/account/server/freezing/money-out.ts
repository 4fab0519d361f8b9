import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { lockActive, arePayoutsFrozen } from './data.ts'

/**
 * Refuses payouts of a frozen user. Locks the row until the transaction ends, so that a concurrent freeze either waits or is seen. Errors:
 * SESSION_EXPIRED (frozen or closed as a whole), MONEY_OUT_FROZEN.
 */
export async function requirePayouts(sql: Sql, userId: string): Promise<void> {
  if (!(await lockActive(sql, userId))) fail('SESSION_EXPIRED')
  if (await arePayoutsFrozen(sql, userId)) fail('MONEY_OUT_FROZEN')
}

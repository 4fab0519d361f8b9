import type { Sql } from '#platform/server/database/db.ts'
import { fail } from '#platform/shared/errors.ts'
import { lockActive, payoutsFrozen } from './data.ts'

/**
 * Refuses to let money of the user leave the house; held so until the transaction ends: a freeze waits for it, or is seen.
 * Errors: SESSION_EXPIRED (frozen or closed as a whole), MONEY_OUT_FROZEN.
 */
export async function requirePayouts(sql: Sql, userId: string): Promise<void> {
  if (!(await lockActive(sql, userId))) fail('SESSION_EXPIRED')
  if (await payoutsFrozen(sql, userId)) fail('MONEY_OUT_FROZEN')
}

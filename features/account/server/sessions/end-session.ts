import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { securityContract } from '../../contract-security.ts'
import { endOneSession } from './data.ts'

/** Ends one of the caller's sessions; NOT_FOUND for another user's. */
export async function endUserSession(ctx: Ctx, { sessionId }: InputOf<typeof securityContract.endSession>): Promise<{}> {
  const ended = await transact(ctx.db, ctx.actor, async (tx) => {
    const found = await endOneSession(tx, ctx.userId, sessionId)
    if (found) await tx.audit('account.session-ended', `user:${ctx.userId}`, { sessionId, ip: ctx.ip })
    return found
  })
  return ended ? {} : fail('NOT_FOUND')
}

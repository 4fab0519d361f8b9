import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { endSessionsExcept } from './data.ts'

/** Ends all sessions of the user except the current one. */
export async function endOtherSessions(ctx: Ctx): Promise<{ ended: number }> {
  const ended = await transact(ctx.db, ctx.actor, async (tx) => {
    const count = await endSessionsExcept(tx, ctx.userId, ctx.sessionId)
    await tx.audit('account.sessions-ended', `user:${ctx.userId}`, { ended: count, ip: ctx.ip })
    return count
  })
  return { ended }
}

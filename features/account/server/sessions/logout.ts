import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { deleteSession } from './data.ts'

/** Ends the current session; its token is invalid once the transaction commits. */
export async function logout(ctx: Ctx): Promise<{}> {
  await transact(ctx.db, ctx.actor, async (tx) => {
    if (await deleteSession(tx, ctx.userId, ctx.sessionId)) await tx.audit('account.logout', `user:${ctx.userId}`, { sessionId: ctx.sessionId, ip: ctx.ip })
  })
  return {}
}

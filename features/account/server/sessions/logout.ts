import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { deleteSession } from './data.ts'

/** Ends the session that asks; its token is dead from the commit on. */
export async function logout(ctx: Ctx): Promise<{}> {
  await transact(ctx.db, ctx.actor, async (tx) => {
    if (await deleteSession(tx, ctx.userId, ctx.sessionId)) await tx.audit('account.logout', `user:${ctx.userId}`, { sessionId: ctx.sessionId, ip: ctx.ip })
  })
  return {}
}

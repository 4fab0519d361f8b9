import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { securityContract } from '../../contract-security.ts'
import { endOneSession, deleteSession, endSessionsExcept } from './data.ts'

/** Ends all sessions of the user except the current one. */
export async function endOtherSessions(ctx: Ctx): Promise<{ ended: number }> {
  const ended = await transact(ctx.db, ctx.actor, async (tx) => {
    const count = await endSessionsExcept(tx, ctx.userId, ctx.sessionId)
    await tx.audit('account.sessions-ended', `user:${ctx.userId}`, { ended: count, ip: ctx.ip })
    return count
  })
  return { ended }
}

/** Ends the current session; its token is invalid once the transaction commits. */
export async function logout(ctx: Ctx): Promise<{}> {
  await transact(ctx.db, ctx.actor, async (tx) => {
    if (await deleteSession(tx, ctx.userId, ctx.sessionId)) await tx.audit('account.logout', `user:${ctx.userId}`, { sessionId: ctx.sessionId, ip: ctx.ip })
  })
  return {}
}

/** Ends one of the caller's sessions; NOT_FOUND for another user's. */
export async function endUserSession(ctx: Ctx, { sessionId }: InputOf<typeof securityContract.endSession>): Promise<{}> {
  const ended = await transact(ctx.db, ctx.actor, async (tx) => {
    const found = await endOneSession(tx, ctx.userId, sessionId)
    if (found) await tx.audit('account.session-ended', `user:${ctx.userId}`, { sessionId, ip: ctx.ip })
    return found
  })
  return ended ? {} : fail('NOT_FOUND')
}

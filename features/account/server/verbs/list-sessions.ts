import type { Ctx } from '#platform/server/feature.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import type { securityContract } from '../../contract-security.ts'
import { listSessions as readSessions } from '../data-sessions.ts'

/** Where the user is signed in, the one used last first. */
export async function listSessions(ctx: Ctx): Promise<ReplyOf<typeof securityContract.sessions>> {
  const rows = await readSessions(ctx.db, ctx.userId, ctx.clock.now())
  return {
    sessions: rows.map((row) => ({
      id: row.id,
      ip: row.ip,
      userAgent: row.user_agent,
      createdAt: row.created_at.toISOString(),
      lastSeenAt: row.last_seen_at.toISOString(),
      current: row.id === ctx.sessionId,
    })),
  }
}

import type { Ctx } from '#platform/server/feature.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import type { securityContract } from '../../contract-security.ts'
import { listSessions as readSessions } from './data.ts'
import { sessionDays, sessionMaxDays, readSessionMaxMs } from '../settings.ts'

/** The user's open sessions, most recently used first. */
export async function listUserSessions(ctx: Ctx): Promise<ReplyOf<typeof securityContract.sessions>> {
  const now = ctx.clock.now()
  const most = await readSessionMaxMs(ctx.settings)
  const rows = await readSessions(ctx.db, ctx.userId, { now, bornAfter: new Date(now.getTime() - most) })
  return {
    sessions: rows.map((row) => ({
      id: row.id,
      ip: row.ip,
      userAgent: row.userAgent,
      createdAt: row.createdAt.toISOString(),
      lastSeenAt: row.lastSeenAt.toISOString(),
      endsAt: new Date(row.createdAt.getTime() + most).toISOString(),
      current: row.id === ctx.sessionId,
    })),
    unusedDays: await ctx.settings.get(sessionDays),
    mostDays: await ctx.settings.get(sessionMaxDays),
  }
}

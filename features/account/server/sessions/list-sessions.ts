import type { Ctx, Deps } from '#platform/server/feature.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import type { securityContract } from '../../contract-security.ts'
import { listSessions as readSessions, findView, insertView } from './data.ts'
import { sessionDays, sessionMaxDays, readSessionMaxMs } from '../settings.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import { generateSessionToken, hashToken } from './tokens.ts'

const VIEW_MS = 15 * 60_000
const VIEW = /^view_[\w-]{43}$/

/**
 * Opens a read-only view of an account as its customer sees it, for an operator and for 15 minutes. It is recorded in the customer's
 * history. The token is returned once. Throws NOT_FOUND.
 */
export async function openView(
  deps: Pick<Deps, 'clock'>,
  tx: Tx,
  view: { userId: string; operatorId: string; reason: string },
): Promise<{ token: string; endsAt: Date }> {
  const now = deps.clock.now()
  const [token, endsAt] = [`view_${generateSessionToken()}`, new Date(now.getTime() + VIEW_MS)]
  if (!(await insertView(tx, { id: createId('vew', now.getTime()), hash: hashToken(token), ...view, now, endsAt }))) fail('NOT_FOUND')
  await tx.audit('account.viewed', `user:${view.userId}`, { reason: view.reason, endsAt: endsAt.toISOString() })
  return { token, endsAt }
}

/** User id of the account that a view's token shows; undefined for any other token. */
export async function authenticateView(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  token: string,
): Promise<{ userId: string; sessionId: string; readOnly: true } | undefined> {
  if (!VIEW.test(token)) return undefined
  const view = await findView(db, hashToken(token), clock.now())
  return view && { userId: view.userId, sessionId: view.id, readOnly: true }
}

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

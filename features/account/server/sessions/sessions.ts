import type { Ctx, Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { newId } from '#platform/shared/ids.ts'
import { endOneSession, findSession, insertSession, isProvenSince, renewSession, touchSession, wasEndedElsewhere } from './data.ts'
import { sessionEnd, sessionMost, stepUpSeconds } from '../settings.ts'
import { newToken, tokenHash } from './tokens.ts'

const TOUCH_MS = 60_000
const TOKEN = /^[\w-]{43}$/

/**
 * Opens a session and ends the session of the request: a token never outlives a login (money.md A6). The token is returned once and not
 * stored. `expiresAt` comes from `sessionEnd`.
 */
export async function openSession(ctx: Ctx, tx: Tx, userId: string, expiresAt: Date): Promise<{ token: string; sessionId: string }> {
  if (ctx.sessionId) await endOneSession(tx, ctx.userId, ctx.sessionId)
  const now = ctx.clock.now()
  const token = newToken()
  const id = newId('ses', now.getTime())
  await insertSession(tx, { id, hash: tokenHash(token), userId, ip: ctx.ip, userAgent: ctx.userAgent.slice(0, 300), now, expiresAt })
  return { token, sessionId: id }
}

/** Replaces the token of this session, which counts as proven from now on. The old token stops working (money.md A6). */
export async function rotateSession(ctx: Ctx, tx: Tx): Promise<string> {
  const token = newToken()
  if (!(await renewSession(tx, ctx.userId, ctx.sessionId, tokenHash(token), ctx.clock.now()))) fail('SESSION_EXPIRED')
  return token
}

/** Checks if the last login or step-up of the session is recent. Runs on the pool: call it before a transaction begins. */
export async function isProven(ctx: Ctx): Promise<boolean> {
  const since = new Date(ctx.clock.now().getTime() - (await ctx.settings.get(stepUpSeconds)) * 1000)
  return isProvenSince(ctx.db, ctx.userId, ctx.sessionId, since)
}

/** Throws STEP_UP_REQUIRED if the last login or step-up of the session is too old. */
export async function requireProven(ctx: Ctx): Promise<void> {
  if (!(await isProven(ctx))) fail('STEP_UP_REQUIRED')
}

/**
 * Resolves a token to its session. Queries the database by primary key on every request, so that an ended session stops at once; updates last
 * use and expiry at most once a minute.
 */
export async function authenticate(
  deps: Deps,
  token: string,
  seen: { ip: string; userAgent: string },
): Promise<{ userId: string; sessionId: string } | undefined> {
  if (!TOKEN.test(token)) return undefined
  const hash = tokenHash(token)
  const now = deps.clock.now()
  const session = await findSession(deps.db, hash, now, new Date(now.getTime() - (await sessionMost(deps.settings))))
  if (!session) return undefined
  if (now.getTime() - session.last_seen_at.getTime() >= TOUCH_MS) {
    await touchSession(deps.db, hash, { ip: seen.ip, userAgent: seen.userAgent.slice(0, 300), now, expiresAt: await sessionEnd(deps) })
  }
  return { userId: session.user_id, sessionId: session.id }
}

/** Reason why a token is no longer valid; only its holder can ask. */
export async function sessionEndReason({ db }: Deps, token: string): Promise<'elsewhere' | undefined> {
  return TOKEN.test(token) && (await wasEndedElsewhere(db, tokenHash(token))) ? 'elsewhere' : undefined
}

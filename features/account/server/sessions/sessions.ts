import type { Ctx, Deps } from '#platform/server/feature.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import { endOneSession, findSession, insertSession, isProvenSince, renewSession, touchSession, wasEndedElsewhere } from './data.ts'
import { computeSessionEnd, readSessionMaxMs, stepUpSeconds } from '../settings.ts'
import { generateSessionToken, hashToken } from './tokens.ts'

const TOUCH_MS = 60_000
const TOKEN = /^[\w-]{43}$/

/**
 * Opens a session and ends the session of the request: a token never outlives a login (money.md A6). The token is returned once and not
 * stored. `expiresAt` comes from `computeSessionEnd`.
 */
export async function openUserSession(
  ctx: Ctx,
  tx: Tx,
  { userId, expiresAt }: { readonly userId: string; readonly expiresAt: Date },
): Promise<{ token: string; sessionId: string }> {
  if (ctx.sessionId) await endOneSession(tx, ctx.userId, ctx.sessionId)
  const now = ctx.clock.now()
  const token = generateSessionToken()
  const id = createId('ses', now.getTime())
  await insertSession(tx, { id, hash: hashToken(token), userId, ip: ctx.ip, userAgent: ctx.userAgent.slice(0, 300), now, expiresAt })
  return { token, sessionId: id }
}

/** Replaces the token of this session, which counts as proven from now on. The old token stops working (money.md A6). */
export async function rotateSession(ctx: Ctx, tx: Tx): Promise<string> {
  const token = generateSessionToken()
  if (!(await renewSession(tx, ctx.userId, { id: ctx.sessionId, hash: hashToken(token), now: ctx.clock.now() }))) fail('SESSION_EXPIRED')
  return token
}

/** Checks if the last login or step-up of the session is recent. Runs on the pool: call it before a transaction begins. */
export async function isSessionProven(ctx: Ctx): Promise<boolean> {
  const since = new Date(ctx.clock.now().getTime() - (await ctx.settings.get(stepUpSeconds)) * 1000)
  return isProvenSince(ctx.db, ctx.userId, { id: ctx.sessionId, since })
}

/** Throws STEP_UP_REQUIRED if the last login or step-up of the session is too old. */
export async function requireProven(ctx: Ctx): Promise<void> {
  if (!(await isSessionProven(ctx))) fail('STEP_UP_REQUIRED')
}

/**
 * Resolves a token to its session. Queries the database by primary key on every request, so that an ended session stops at once; updates last
 * use and expiry at most once a minute.
 */
export async function authenticateUser(
  deps: Deps,
  token: string,
  seen: { ip: string; userAgent: string },
): Promise<{ userId: string; sessionId: string } | undefined> {
  if (!TOKEN.test(token)) return undefined
  const hash = hashToken(token)
  const now = deps.clock.now()
  const session = await findSession(deps.db, hash, { now, bornAfter: new Date(now.getTime() - (await readSessionMaxMs(deps.settings))) })
  if (!session) return undefined
  if (now.getTime() - session.lastSeenAt.getTime() >= TOUCH_MS) {
    await touchSession(deps.db, hash, { ip: seen.ip, userAgent: seen.userAgent.slice(0, 300), now, expiresAt: await computeSessionEnd(deps) })
  }
  return { userId: session.userId, sessionId: session.id }
}

/** Reason why a token is no longer valid; requires the token itself. */
export async function sessionEndReason({ db }: Deps, token: string): Promise<'elsewhere' | undefined> {
  return TOKEN.test(token) && (await wasEndedElsewhere(db, hashToken(token))) ? 'elsewhere' : undefined
}

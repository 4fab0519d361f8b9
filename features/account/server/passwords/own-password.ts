import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import type { UserRow } from '../data.ts'
import { countLogin, recordLoginFailure } from './login-limits.ts'
import { passwordMatches } from './passwords.ts'

/**
 * Checks the password of the signed-in user, with the same limits as a login. Throws LOGIN_FAILED, or LOGIN_LOCKED with
 * `retryAfterSeconds`.
 */
export async function requireOwnPassword(ctx: Ctx, user: UserRow, password: string): Promise<void> {
  const forgive = await countLogin(ctx, user.id, undefined)
  if (await passwordMatches(user.passwordHash ?? undefined, password)) return forgive()
  await recordLoginFailure(ctx)
  await transact(ctx.db, ctx.actor, (tx) => tx.audit('account.login-failed', `user:${user.id}`, { sessionId: ctx.sessionId, ip: ctx.ip }))
  fail('LOGIN_FAILED')
}

import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { emailKey } from '../../contract.ts'
import type { accountContract, LoginReply } from '../../contract.ts'
import { findByEmail, upgradeHash } from '../data.ts'
import { countLogin, noteFailure } from '../login-limits.ts'
import { hashPassword, isOutdated, passwordMatches } from '../passwords.ts'
import { openSession } from '../sessions.ts'
import { sessionEnd } from '../settings.ts'
import { maskedTarget } from '../tokens.ts'
import { loginReplyOf } from '../login-reply.ts'

/**
 * Signs in. Unknown e-mail, account without a password and wrong password do the same work, write the same rows and get
 * the same answer (money.md A4). An old hash is made anew.
 */
export async function passwordLogin(ctx: Ctx, { email, password }: InputOf<typeof accountContract.passwordLogin>): Promise<LoginReply> {
  const key = emailKey(email)
  const account = await findByEmail(ctx.db, key)
  const forgive = await countLogin(ctx, key, account?.user_id)
  const right = await passwordMatches(account?.password_hash, password)
  if (!account || !right) {
    await noteFailure(ctx)
    // anybody may: it only records the failure
    await transact(ctx.db, ctx.actor, (tx) =>
      tx.audit('account.login-failed', `email:${maskedTarget(ctx.secretKey, key)}`, { ip: ctx.ip, userAgent: ctx.userAgent.slice(0, 300) }),
    )
    fail('LOGIN_FAILED')
  }
  await forgive()
  if (account.status !== 'active') fail('ACCOUNT_FROZEN')
  const old = account.password_hash!
  const fresh = isOutdated(old) ? await hashPassword(password) : undefined
  const expiresAt = await sessionEnd(ctx)
  return transact(ctx.db, { kind: 'user', id: account.user_id }, async (tx) => {
    if (fresh) await upgradeHash(tx, account.user_id, old, fresh)
    const { token, sessionId } = await openSession(ctx, tx, account.user_id, expiresAt)
    await tx.audit('account.login', `user:${account.user_id}`, { by: 'password', sessionId, ip: ctx.ip, userAgent: ctx.userAgent.slice(0, 300) })
    return loginReplyOf(token, account)
  })
}

import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { requireHuman, requireUnblocked } from '#features/risk/server/door.ts'
import type { accountContract, LoginReply } from '../../contract.ts'
import { findAccountByTarget, lockMatchingPassword, upgradeHash } from '../data.ts'
import { countLogin, recordLoginFailure } from '../passwords/login-limits.ts'
import { hashPassword, isOutdatedHash, passwordMatches } from '../passwords/passwords.ts'
import { computeSessionEnd } from '../settings.ts'
import { completeSignIn } from './sign-in.ts'
import { toContactTarget } from '../target.ts'
import { pseudonymizeTarget } from '../sessions/tokens.ts'

/**
 * Signs in with a password. Unknown contact, account without a password and wrong password do the same work, write the same rows and return
 * the same error (money.md A4). Outdated hashes are upgraded.
 */
export async function passwordLogin(ctx: Ctx, input: InputOf<typeof accountContract.passwordLogin>): Promise<LoginReply> {
  await requireUnblocked(ctx)
  await requireHuman(ctx, { scene: 'login', param: input.captchaVerifyParam, ip: ctx.ip })
  const target = toContactTarget(input)
  const account = await findAccountByTarget(ctx.db, target)
  const forgive = await countLogin(ctx, target.subject, account?.userId)
  const right = await passwordMatches(account?.passwordHash, input.password)
  if (!account || !right) {
    await recordLoginFailure(ctx)
    // no permission check: it only records the failure
    await transact(ctx.db, ctx.actor, (tx) =>
      tx.audit('account.login-failed', pseudonymizeTarget(ctx.secretKey, target), { ip: ctx.ip, userAgent: ctx.userAgent.slice(0, 300) }),
    )
    fail('LOGIN_FAILED')
  }
  await forgive()
  if (account.status !== 'active') fail('ACCOUNT_FROZEN', { email: ctx.config.SUPPORT_EMAIL })
  const old = account.passwordHash!
  const fresh = isOutdatedHash(old) ? await hashPassword(input.password) : undefined
  const expiresAt = await computeSessionEnd(ctx)
  return transact(ctx.db, { kind: 'user', id: account.userId }, async (tx) => {
    if (fresh) await upgradeHash(tx, account.userId, { old, fresh })
    // the password was changed during the comparison, so the old one must not sign in
    if (!(await lockMatchingPassword(tx, account.userId, fresh ?? old))) fail('LOGIN_FAILED')
    return completeSignIn(ctx, tx, { userId: account.userId, by: 'password', expiresAt })
  })
}

import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { requireHuman, requireUnblocked } from '#features/risk/server/door.ts'
import type { accountContract, LoginReply } from '../../contract.ts'
import { findByTarget, stillHas, upgradeHash } from '../data.ts'
import { countLogin, noteFailure } from '../passwords/login-limits.ts'
import { hashPassword, isOutdated, passwordMatches } from '../passwords/passwords.ts'
import { sessionEnd } from '../settings.ts'
import { signIn } from './sign-in.ts'
import { targetOf } from '../target.ts'
import { maskedTarget } from '../sessions/tokens.ts'

/**
 * Signs in. Unknown e-mail or mobile, account without a password and wrong password do the same work, write the same rows
 * and get the same answer (money.md A4). An old hash is made anew.
 */
export async function passwordLogin(ctx: Ctx, input: InputOf<typeof accountContract.passwordLogin>): Promise<LoginReply> {
  await requireUnblocked(ctx)
  await requireHuman(ctx, { scene: 'login', param: input.captchaVerifyParam, ip: ctx.ip })
  const target = targetOf(input)
  const account = await findByTarget(ctx.db, target)
  const forgive = await countLogin(ctx, target.subject, account?.user_id)
  const right = await passwordMatches(account?.password_hash, input.password)
  if (!account || !right) {
    await noteFailure(ctx)
    // anybody may: it only records the failure
    await transact(ctx.db, ctx.actor, (tx) =>
      tx.audit('account.login-failed', maskedTarget(ctx.secretKey, target), { ip: ctx.ip, userAgent: ctx.userAgent.slice(0, 300) }),
    )
    fail('LOGIN_FAILED')
  }
  await forgive()
  if (account.status !== 'active') fail('ACCOUNT_FROZEN', { email: ctx.config.SUPPORT_EMAIL })
  const old = account.password_hash!
  const fresh = isOutdated(old) ? await hashPassword(input.password) : undefined
  const expiresAt = await sessionEnd(ctx)
  return transact(ctx.db, { kind: 'user', id: account.user_id }, async (tx) => {
    if (fresh) await upgradeHash(tx, account.user_id, old, fresh)
    // changed while this one was compared: whoever changed it wants nobody in who knew the old one
    if (!(await stillHas(tx, account.user_id, fresh ?? old))) fail('LOGIN_FAILED')
    return signIn(ctx, tx, account.user_id, 'password', expiresAt)
  })
}

import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { requireHuman, requireUnblocked } from '#features/risk/server/door.ts'
import type { accountContract, LoginReply } from '../../contract.ts'
import { findAccountByTarget, lockMatchingPassword, upgradeHash, markVerified } from '../data.ts'
import { countLogin, recordLoginFailure } from '../passwords/login-limits.ts'
import { hashPassword, isOutdatedHash, passwordMatches } from '../passwords/passwords.ts'
import { computeSessionEnd, readCodeRules } from '../settings.ts'
import { completeSignIn } from './sign-in.ts'
import { toContactTarget } from '../target.ts'
import { pseudonymizeTarget, buildCodeBinding } from '../sessions/tokens.ts'
import { transferCode } from '../codes/issue-code.ts'
import { consumeCode } from '../codes/use-code.ts'

type Refusal = 'CODE_WRONG' | 'ACCOUNT_FROZEN' | 'NOT_REGISTERED'

/**
 * Signs in with a code of purpose login, which marks the contact as verified. A mobile without an account gets NOT_REGISTERED and can register
 * with the same code. Audited by signIn.
 */
export async function codeLogin(ctx: Ctx, input: InputOf<typeof accountContract.codeLogin>): Promise<LoginReply> {
  await requireUnblocked(ctx)
  const target = toContactTarget(input)
  const rules = await readCodeRules(ctx.settings)
  const expiresAt = await computeSessionEnd(ctx)
  // audited by signIn; no permission check: the code is the proof
  const outcome = await transact(ctx.db, ctx.actor, async (tx): Promise<LoginReply | Refusal> => {
    const guess = await consumeCode(ctx, tx, { use: buildCodeBinding('login', target, ''), code: input.verifyCode, rules, ticket: input.codeTicket })
    if (!guess) return 'CODE_WRONG'
    const account = await findAccountByTarget(tx, target)
    if (!account && target.kind === 'mobile') {
      await transferCode(ctx, tx, {
        use: buildCodeBinding('register', target, ''),
        code: input.verifyCode,
        ticket: input.codeTicket,
        expiresAt: guess.expiresAt,
      })
      return 'NOT_REGISTERED'
    }
    if (!account) return 'CODE_WRONG'
    if (account.status !== 'active') return 'ACCOUNT_FROZEN'
    await markVerified(tx, target, ctx.clock.now())
    return completeSignIn(ctx, tx, { userId: account.userId, by: 'code', expiresAt })
  })
  return typeof outcome === 'string' ? fail(outcome, { email: ctx.config.SUPPORT_EMAIL }) : outcome
}

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

import type { Ctx } from '#platform/server/feature.ts'
import { type Tx, transact } from '#platform/server/database/transact.ts'
import { setPassword, type UserRow, setFirstPassword, findAccountByTarget, markVerified } from '../data.ts'
import { endSessionsExcept } from '../sessions/data.ts'
import { hashPassword, passwordMatches } from './passwords.ts'
import { notifyAccountChange } from '../history/notify-change.ts'
import { fail } from '#platform/shared/errors.ts'
import { countLogin, recordLoginFailure } from './login-limits.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import type { securityContract } from '../../contract-security.ts'
import { listOwnContacts, requireUser } from '../contacts.ts'
import { requireProven } from '../sessions/sessions.ts'
import { requireStrongPassword } from './weak-passwords.ts'
import { readCodeRules } from '../settings.ts'
import { toContactTarget } from '../target.ts'
import { buildCodeBinding } from '../sessions/tokens.ts'
import { consumeCode } from '../codes/use-code.ts'
import type { accountContract } from '../../contract.ts'

/** Sets the first password of a user who registered by mobile or Google. */
export async function initPassword(ctx: Ctx, { password }: InputOf<typeof securityContract.initPassword>): Promise<{}> {
  const user = await requireUser(ctx.db, ctx.userId)
  if (user.passwordHash) fail('PASSWORD_EXISTS')
  requireStrongPassword(password, listOwnContacts(user))
  await requireProven(ctx)
  const hash = await hashPassword(password)
  const set = await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await setFirstPassword(tx, ctx.userId, { passwordHash: hash, now: ctx.clock.now() }))) return false
    const ended = await endSessionsExcept(tx, ctx.userId, ctx.sessionId)
    await tx.audit('account.password-set', `user:${ctx.userId}`, { ended, ip: ctx.ip })
    await notifyAccountChange(ctx, tx, { before: user, change: 'password' })
    return true
  })
  return set ? {} : fail('PASSWORD_EXISTS')
}

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

/** Changes the password of a user already verified by the caller; ends every other session and notifies the mailbox. */
export async function changePassword(ctx: Ctx, tx: Tx, { user, password }: { readonly user: UserRow; readonly password: string }): Promise<void> {
  await setPassword(tx, user.id, { passwordHash: await hashPassword(password), now: ctx.clock.now() })
  const ended = await endSessionsExcept(tx, user.id, user.id === ctx.userId ? ctx.sessionId : '')
  await tx.audit('account.password-changed', `user:${user.id}`, { ended, ip: ctx.ip, userAgent: ctx.userAgent.slice(0, 300) })
  await notifyAccountChange(ctx, tx, { before: user, change: 'password' })
}

/** Changes the password of the signed-in user, verified by a code to one of the user's own contacts (settings dialog). */
export async function updatePassword(ctx: Ctx, input: InputOf<typeof securityContract.updatePassword>): Promise<{}> {
  const target = toContactTarget(input)
  const user = await requireUser(ctx.db, ctx.userId)
  requireStrongPassword(input.password, listOwnContacts(user))
  const rules = await readCodeRules(ctx.settings)
  // audited by changePassword
  const done = await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await consumeCode(ctx, tx, { use: buildCodeBinding('updatePassword', target, ''), code: input.verifyCode, rules }))) return false
    if ((await findAccountByTarget(tx, target))?.userId !== ctx.userId) return false
    await changePassword(ctx, tx, { user, password: input.password })
    return true
  })
  return done ? {} : fail('CODE_WRONG')
}

/** Sets a password by a code of purpose updatePassword and ends every other session (money.md A6). */
export async function resetPassword(ctx: Ctx, input: InputOf<typeof accountContract.resetPassword>): Promise<{}> {
  const target = toContactTarget(input)
  requireStrongPassword(input.password, [target.subject])
  const rules = await readCodeRules(ctx.settings)
  // audited by changePassword; anybody may: the code is the proof
  const refusal = await transact(ctx.db, ctx.actor, async (tx): Promise<'CODE_WRONG' | 'NOT_REGISTERED' | undefined> => {
    if (!(await consumeCode(ctx, tx, { use: buildCodeBinding('updatePassword', target, ''), code: input.verifyCode, rules, ticket: input.codeTicket })))
      return 'CODE_WRONG'
    const account = await findAccountByTarget(tx, target)
    if (!account) return target.kind === 'mobile' ? 'NOT_REGISTERED' : 'CODE_WRONG'
    await markVerified(tx, target, ctx.clock.now())
    await changePassword(ctx, tx, { user: await requireUser(tx, account.userId), password: input.password })
    return undefined
  })
  return refusal ? fail(refusal) : {}
}

import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { type payPasswordContract, PAY_RESULT, type PayResult } from '../../contract-pay-password.ts'
import { requireUser } from '../contacts.ts'
import { insertPayPassword, replacePayHash, resetPayHash } from './data.ts'
import { consumeOwnCode } from '../codes/use-code.ts'
import { hashPayPassword, comparePayPassword } from './pay-password.ts'
import { readCodeRules, payPasswordStreak } from '../settings.ts'
import { notifyAccountChange } from '../history/notify-change.ts'
import { requireStrongPayPassword } from './weak-pay-passwords.ts'

/** Compares the payment password for the page; guarded endpoints require it again (`requirePayPassword`). */
export async function verifyPayPassword(ctx: Ctx, { password }: InputOf<typeof payPasswordContract.verifyPayPassword>): Promise<PayResult> {
  const { resultType, failCount } = await comparePayPassword(ctx, ctx.userId, password)
  return { resultType, failCount }
}

/** Sets a new payment password by a code. Earlier wrong attempts still count towards the limit that a reset does not lift. */
export async function resetPayPassword(ctx: Ctx, { password, verifyCode }: InputOf<typeof payPasswordContract.resetPayPassword>): Promise<{}> {
  const user = await requireUser(ctx.db, ctx.userId)
  if (!user.hasPayPassword) fail('PAY_PASSWORD_NOT_SET')
  requireStrongPayPassword(password, user.mobile)
  const rules = await readCodeRules(ctx.settings)
  const maxStreak = await ctx.settings.get(payPasswordStreak)
  const refusal = await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await consumeOwnCode(ctx, tx, { user, purpose: 'payPassword', code: verifyCode, rules }))) return 'CODE_WRONG'
    const hash = await hashPayPassword(ctx, ctx.userId, password)
    if (!(await resetPayHash(tx, ctx.userId, { hash, now: ctx.clock.now(), maxStreak }))) return 'PAY_PASSWORD_BLOCKED'
    await tx.audit('account.pay-password-reset', `user:${ctx.userId}`, { ip: ctx.ip })
    await notifyAccountChange(ctx, tx, { before: user, change: 'payPassword' })
    return undefined
  })
  return refusal ? fail(refusal) : {}
}

/** Changes the payment password, verified by the old one; wrong attempts count as usual. */
export async function modifyPayPassword(ctx: Ctx, { oldPassword, password }: InputOf<typeof payPasswordContract.modifyPayPassword>): Promise<PayResult> {
  const user = await requireUser(ctx.db, ctx.userId)
  requireStrongPayPassword(password, user.mobile)
  const { hash: old, resultType, failCount } = await comparePayPassword(ctx, ctx.userId, oldPassword)
  if (!old) return { resultType, failCount }
  const hash = await hashPayPassword(ctx, ctx.userId, password)
  const changed = await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await replacePayHash(tx, ctx.userId, { old, hash, now: ctx.clock.now() }))) return false
    await tx.audit('account.pay-password-changed', `user:${ctx.userId}`, { ip: ctx.ip })
    await notifyAccountChange(ctx, tx, { before: user, change: 'payPassword' })
    return true
  })
  // changed by a concurrent request, so the entered password is no longer current
  return changed ? { resultType, failCount } : { resultType: PAY_RESULT.wrong, failCount }
}

/** Sets the first payment password, verified by a code to one of the user's own contacts. */
export async function setPayPassword(ctx: Ctx, { password, verifyCode }: InputOf<typeof payPasswordContract.setPayPassword>): Promise<{}> {
  const user = await requireUser(ctx.db, ctx.userId)
  if (user.hasPayPassword) fail('PAY_PASSWORD_EXISTS')
  requireStrongPayPassword(password, user.mobile)
  const rules = await readCodeRules(ctx.settings)
  const refusal = await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await consumeOwnCode(ctx, tx, { user, purpose: 'payPassword', code: verifyCode, rules }))) return 'CODE_WRONG'
    const hash = await hashPayPassword(ctx, ctx.userId, password)
    if (!(await insertPayPassword(tx, ctx.userId, { hash, now: ctx.clock.now() }))) return 'PAY_PASSWORD_EXISTS'
    await tx.audit('account.pay-password-set', `user:${ctx.userId}`, { ip: ctx.ip })
    await notifyAccountChange(ctx, tx, { before: user, change: 'payPassword' })
    return undefined
  })
  return refusal ? fail(refusal) : {}
}

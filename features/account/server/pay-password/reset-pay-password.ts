import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { payPasswordContract } from '../../contract-pay-password.ts'
import { requireUser } from '../contacts.ts'
import { resetPayHash } from './data.ts'
import { consumeOwnCode } from '../codes/own-code.ts'
import { hashPayPassword } from './pay-password.ts'
import { readCodeRules, payPasswordStreak } from '../settings.ts'
import { notifyAccountChange } from '../history/notify-change.ts'
import { requireStrongPayPassword } from './weak-pay-passwords.ts'

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

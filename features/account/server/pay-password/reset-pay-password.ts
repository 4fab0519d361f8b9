import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { payPasswordContract } from '../../contract-pay-password.ts'
import { requireUser } from '../contacts.ts'
import { resetPayHash } from './data.ts'
import { useOwnCode } from '../codes/own-code.ts'
import { hashPayPassword } from './pay-password.ts'
import { codeRules, payPasswordStreak } from '../settings.ts'
import { tellChange } from '../history/tell-change.ts'
import { requireStrongPay } from './weak-pay-passwords.ts'

/** A new payment password by a code. The wrong ones before still count towards the limit that no reset lifts. */
export async function resetPayPassword(ctx: Ctx, { password, verifyCode }: InputOf<typeof payPasswordContract.resetPayPassword>): Promise<{}> {
  const user = await requireUser(ctx.db, ctx.userId)
  if (!user.has_pay_password) fail('PAY_PASSWORD_NOT_SET')
  requireStrongPay(password, user.mobile)
  const rules = await codeRules(ctx.settings)
  const maxStreak = await ctx.settings.get(payPasswordStreak)
  const refusal = await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await useOwnCode(ctx, tx, user, 'payPassword', verifyCode, rules))) return 'CODE_WRONG'
    const hash = await hashPayPassword(ctx, ctx.userId, password)
    if (!(await resetPayHash(tx, ctx.userId, hash, ctx.clock.now(), maxStreak))) return 'PAY_PASSWORD_BLOCKED'
    await tx.audit('account.pay-password-reset', `user:${ctx.userId}`, { ip: ctx.ip })
    await tellChange(ctx, tx, user, 'payPassword')
    return undefined
  })
  return refusal ? fail(refusal) : {}
}

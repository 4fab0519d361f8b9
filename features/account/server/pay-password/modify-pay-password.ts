import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { PAY_RESULT } from '../../contract-pay-password.ts'
import type { payPasswordContract, PayResult } from '../../contract-pay-password.ts'
import { requireUser } from '../contacts.ts'
import { replacePayHash } from './data.ts'
import { comparePayPassword, hashPayPassword } from './pay-password.ts'
import { notifyAccountChange } from '../history/notify-change.ts'
import { requireStrongPayPassword } from './weak-pay-passwords.ts'

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

import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { securityContract } from '../../contract-security.ts'
import { listOwnContacts, requireUser } from '../contacts.ts'
import { setFirstPassword } from '../data.ts'
import { endSessionsExcept } from '../sessions/data.ts'
import { hashPassword } from './passwords.ts'
import { requireProven } from '../sessions/sessions.ts'
import { notifyAccountChange } from '../history/notify-change.ts'
import { requireStrongPassword } from './weak-passwords.ts'

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

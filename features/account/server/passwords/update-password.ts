import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { securityContract } from '../../contract-security.ts'
import { changePassword } from './change-password.ts'
import { ownContacts, requireUser } from '../contacts.ts'
import { findByTarget } from '../data.ts'
import { codeRules } from '../settings.ts'
import { targetOf } from '../target.ts'
import { codeUse } from '../sessions/tokens.ts'
import { requireStrong } from './weak-passwords.ts'
import { useCode } from '../codes/use-code.ts'

/** Changes the password of the user who is signed in, by a code to a contact of their own (the settings' dialog). */
export async function updatePassword(ctx: Ctx, input: InputOf<typeof securityContract.updatePassword>): Promise<{}> {
  const target = targetOf(input)
  const user = await requireUser(ctx.db, ctx.userId)
  requireStrong(input.password, ownContacts(user))
  const rules = await codeRules(ctx.settings)
  // audited by changePassword
  const done = await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await useCode(ctx, tx, codeUse('updatePassword', target, ''), input.verifyCode, rules))) return false
    if ((await findByTarget(tx, target))?.user_id !== ctx.userId) return false
    await changePassword(ctx, tx, user, input.password)
    return true
  })
  return done ? {} : fail('CODE_WRONG')
}

import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { securityContract } from '../../contract-security.ts'
import { changePassword } from './change-password.ts'
import { listOwnContacts, requireUser } from '../contacts.ts'
import { findAccountByTarget } from '../data.ts'
import { readCodeRules } from '../settings.ts'
import { toContactTarget } from '../target.ts'
import { buildCodeBinding } from '../sessions/tokens.ts'
import { requireStrongPassword } from './weak-passwords.ts'
import { consumeCode } from '../codes/use-code.ts'

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

import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { accountContract } from '../../contract.ts'
import { changePassword } from './change-password.ts'
import { requireUser } from '../contacts.ts'
import { findAccountByTarget, markVerified } from '../data.ts'
import { readCodeRules } from '../settings.ts'
import { toContactTarget } from '../target.ts'
import { buildCodeBinding } from '../sessions/tokens.ts'
import { requireStrongPassword } from './weak-passwords.ts'
import { consumeCode } from '../codes/use-code.ts'

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

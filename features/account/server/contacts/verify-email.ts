import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { securityContract } from '../../contract-security.ts'
import { findAccountByTarget, markVerified } from '../data.ts'
import { readCodeRules } from '../settings.ts'
import { toContactTarget } from '../target.ts'
import { buildCodeBinding } from '../sessions/tokens.ts'
import { consumeCode } from '../codes/use-code.ts'

/** Verifies the user's own e-mail. Needs no step-up, because the code was sent to that mailbox and proves nothing else. */
export async function verifyEmail(ctx: Ctx, input: InputOf<typeof securityContract.verifyEmail>): Promise<{}> {
  const target = toContactTarget({ email: input.email })
  const rules = await readCodeRules(ctx.settings)
  const done = await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await consumeCode(ctx, tx, { use: buildCodeBinding('verify', target, ctx.userId), code: input.verifyCode, rules }))) return false
    if ((await findAccountByTarget(tx, target))?.userId !== ctx.userId) return false
    await markVerified(tx, target, ctx.clock.now())
    await tx.audit('account.email-verified', `user:${ctx.userId}`, { ip: ctx.ip })
    return true
  })
  return done ? {} : fail('CODE_WRONG')
}

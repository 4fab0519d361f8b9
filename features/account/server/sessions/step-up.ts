import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { securityContract } from '../../contract-security.ts'
import { requireUser } from '../contacts/contacts.ts'
import { useOwnCode } from '../codes/own-code.ts'
import { requireOwnPassword } from '../passwords/own-password.ts'
import { rotateSession } from './sessions.ts'
import { codeRules } from '../settings.ts'

type StepUp = typeof securityContract.stepUp

/** Proves again who sits there. The session goes on under a new token (money.md A6). */
export async function stepUp(ctx: Ctx, { verifyCode, password }: InputOf<StepUp>): Promise<ReplyOf<StepUp>> {
  const user = await requireUser(ctx.db, ctx.userId)
  if (password !== undefined) await requireOwnPassword(ctx, user, password)
  const rules = await codeRules(ctx.settings)
  const token = await transact(ctx.db, ctx.actor, async (tx) => {
    if (verifyCode !== undefined && !(await useOwnCode(ctx, tx, user, 'stepUp', verifyCode, rules))) return undefined
    await tx.audit('account.step-up', `user:${ctx.userId}`, { by: password === undefined ? 'code' : 'password', sessionId: ctx.sessionId, ip: ctx.ip })
    return rotateSession(ctx, tx)
  })
  return token ? { token } : fail('CODE_WRONG')
}

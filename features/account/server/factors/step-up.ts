import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { securityContract } from '../../contract-security.ts'
import { requireUser } from '../contacts.ts'
import { useOwnCode } from '../codes/own-code.ts'
import { hasFactor } from './data.ts'
import { countFactorTry, takeFactor } from './factors.ts'
import { requireOwnPassword } from '../passwords/own-password.ts'
import { rotateSession } from '../sessions/sessions.ts'
import { codeRules } from '../settings.ts'

type StepUp = typeof securityContract.stepUp
type Given = InputOf<StepUp>

/** Verifies the user again and rotates the session's token (money.md A6). A user with a second factor must use it. */
export async function stepUp(ctx: Ctx, given: Given): Promise<ReplyOf<StepUp>> {
  const { password, factorCode, passkey } = given
  const user = await requireUser(ctx.db, ctx.userId)
  const isFactor = factorCode !== undefined || passkey !== undefined
  if (!isFactor && (await hasFactor(ctx.db, ctx.userId))) fail('FACTOR_REQUIRED')
  if (isFactor) await countFactorTry(ctx)
  if (password !== undefined) await requireOwnPassword(ctx, user, password)
  const rules = await codeRules(ctx.settings)
  const token = await transact(ctx.db, ctx.actor, async (tx) => {
    const by = isFactor ? await takeFactor(ctx, tx, given) : password === undefined ? await takeCode(ctx, tx, user, given, rules) : 'password'
    if (!by) return undefined
    await tx.audit('account.step-up', `user:${ctx.userId}`, { by, sessionId: ctx.sessionId, ip: ctx.ip })
    return rotateSession(ctx, tx)
  })
  return token ? { token } : fail('CODE_WRONG')
}

async function takeCode(
  ctx: Ctx,
  tx: Tx,
  user: Awaited<ReturnType<typeof requireUser>>,
  { verifyCode = '' }: Given,
  rules: Awaited<ReturnType<typeof codeRules>>,
): Promise<'code' | undefined> {
  return (await useOwnCode(ctx, tx, user, 'stepUp', verifyCode, rules)) ? 'code' : undefined
}

import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { securityContract } from '../../contract-security.ts'
import { requireUser } from '../contacts.ts'
import { consumeOwnCode } from '../codes/use-code.ts'
import { hasFactor } from './data.ts'
import { countFactorAttempt, verifyFactor } from './factors.ts'
import { requireOwnPassword } from '../passwords/change-passwords.ts'
import { rotateSession } from '../sessions/sessions.ts'
import { readCodeRules } from '../settings.ts'

type StepUpEndpoint = typeof securityContract.stepUp
type StepUpInput = InputOf<StepUpEndpoint>

/** Verifies the user again and rotates the session's token (money.md A6). A user with a second factor must use it. */
export async function verifyStepUp(ctx: Ctx, given: StepUpInput): Promise<ReplyOf<StepUpEndpoint>> {
  const { password, factorCode, passkey } = given
  const user = await requireUser(ctx.db, ctx.userId)
  const isFactor = factorCode !== undefined || passkey !== undefined
  if (!isFactor && (await hasFactor(ctx.db, ctx.userId))) fail('FACTOR_REQUIRED')
  if (isFactor) await countFactorAttempt(ctx)
  if (password !== undefined) await requireOwnPassword(ctx, user, password)
  const rules = await readCodeRules(ctx.settings)
  const token = await transact(ctx.db, ctx.actor, async (tx) => {
    const by = isFactor
      ? await verifyFactor(ctx, tx, given)
      : password === undefined
        ? await verifyStepUpCode(ctx, tx, { user, stepUpInput: given, rules })
        : 'password'
    if (!by) return undefined
    await tx.audit('account.step-up', `user:${ctx.userId}`, { by, sessionId: ctx.sessionId, ip: ctx.ip })
    return rotateSession(ctx, tx)
  })
  return token ? { token } : fail('CODE_WRONG')
}

async function verifyStepUpCode(
  ctx: Ctx,
  tx: Tx,
  {
    user,
    stepUpInput: { verifyCode = '' },
    rules,
  }: { readonly user: Awaited<ReturnType<typeof requireUser>>; readonly stepUpInput: StepUpInput; readonly rules: Awaited<ReturnType<typeof readCodeRules>> },
): Promise<'code' | undefined> {
  return (await consumeOwnCode(ctx, tx, { user, purpose: 'stepUp', code: verifyCode, rules })) ? 'code' : undefined
}

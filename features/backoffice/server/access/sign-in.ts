import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { findTotpCounter, hashRecoveryCode } from '#platform/server/proof/one-time.ts'
import { unseal } from '#platform/server/sealing/seal.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { passwordMatches } from '#features/account/server/door.ts'
import type { accessContract } from '../../contract.console.ts'
import { findOperator, findOperatorByMail, consumeTotpCounter, consumeRecoveryCode } from './data.ts'
import type { OperatorRow } from './data.ts'
import { renewSession } from './data-sessions.ts'
import { checkOwnPasskey } from './passkeys.ts'
import { requirePerson } from './require-person.ts'
import { hashOperatorSecret, createOperatorSecret, OPERATOR_TOTP_PURPOSE } from './secrets.ts'
import { isAllowedNetwork, openOperatorSession } from './sessions.ts'
import { countSignInAttempt, refundSignInAttempt } from './sign-in-attempts.ts'

/** Signs in with password and code. The response never reveals which of them was wrong, or whether the operator exists. */
export async function signInByPassword(
  ctx: Ctx,
  { mail, password, code }: InputOf<typeof accessContract.signIn>,
): Promise<ReplyOf<typeof accessContract.signIn>> {
  if (!(await isAllowedNetwork(ctx, ctx.ip))) fail('OPERATOR_SIGN_IN_FAILED')
  await countSignInAttempt(ctx, mail)
  const operator = await findOperatorByMail(ctx.db, mail)
  const isRight = await passwordMatches(operator?.passwordHash ?? undefined, password)
  if (!operator || operator.status !== 'active' || !isRight) {
    await recordFailure(ctx, operator, 'password')
    return fail('OPERATOR_SIGN_IN_FAILED')
  }
  const opened = await transact(ctx.db, { kind: 'operator', id: operator.id }, async (tx) => {
    const method = await consumeSignInCode(ctx, tx, { operator, code })
    if (!method) return undefined
    const session = await openOperatorSession(ctx, tx, { operatorId: operator.id, method })
    await tx.audit('operator.signed-in', `operator:${operator.id}`, { method, sessionId: session.sessionId, ip: ctx.ip })
    return session
  })
  if (!opened) {
    await recordFailure(ctx, operator, 'code')
    return fail('OPERATOR_SIGN_IN_FAILED')
  }
  await refundSignInAttempt(ctx, mail)
  return { ...opened, operatorId: operator.id }
}

/** Checks a TOTP code, valid once, or a recovery code; undefined if it is wrong. */
async function consumeSignInCode(
  ctx: Ctx,
  tx: Parameters<typeof consumeTotpCounter>[0],
  { operator, code }: { readonly operator: OperatorRow; readonly code: string },
): Promise<'totp' | 'recovery' | undefined> {
  const now = ctx.clock.now()
  if (!/^\d{6}$/.test(code)) return (await consumeRecoveryCode(tx, operator.id, { hash: hashRecoveryCode(code), now })) ? 'recovery' : undefined
  if (!operator.totpSealed) return undefined
  const counter = findTotpCounter(unseal(ctx.secretKeys, OPERATOR_TOTP_PURPOSE, { owner: operator.id, sealed: operator.totpSealed }), code, now)
  return counter !== undefined && (await consumeTotpCounter(tx, operator.id, counter)) ? 'totp' : undefined
}

async function recordFailure(ctx: Ctx, operator: OperatorRow | undefined, what: string): Promise<void> {
  if (!operator) return
  await transact(ctx.db, ctx.actor, (tx) => tx.audit('operator.sign-in-failed', `operator:${operator.id}`, { what, ip: ctx.ip }))
}

/** Re-authenticates the operator and replaces the session token. */
export async function stepUpOperator(ctx: Ctx, input: InputOf<typeof accessContract.stepUp>): Promise<{ token: string }> {
  requirePerson(ctx)
  const { id, sessionId } = ctx.operator!
  await countSignInAttempt(ctx, id)
  const operator = (await findOperator(ctx.db, id)) ?? fail('SESSION_EXPIRED')
  const passkey = 'code' in input ? undefined : await checkOwnPasskey(ctx, input, 'stepUp')
  if (!('code' in input) && passkey?.operatorId !== id) fail('OPERATOR_SIGN_IN_FAILED')
  const token = createOperatorSecret('ops')
  const renewed = await transact(ctx.db, ctx.actor, async (tx) => {
    const method = 'code' in input ? await consumeSignInCode(ctx, tx, { operator, code: input.code }) : 'passkey'
    if (!method || !(await renewSession(tx, sessionId, { hash: hashOperatorSecret(token), now: ctx.clock.now() }))) return false
    await tx.audit('operator.step-up', `operator:${id}`, { method, sessionId, ip: ctx.ip })
    return true
  })
  if (!renewed) return fail('OPERATOR_SIGN_IN_FAILED')
  await refundSignInAttempt(ctx, id)
  return { token }
}

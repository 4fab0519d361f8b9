import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { securityContract } from '../../contract-security.ts'
import { listProvenTargets, requireUser } from '../contacts.ts'
import { insertFlow } from '../sessions/data.ts'
import { consumeOwnCode } from '../codes/use-code.ts'
import { readCodeRules } from '../settings.ts'
import { generateSessionToken, hashToken } from '../sessions/tokens.ts'

const FLOW_MS = 600_000

type VerifyOldMobile = typeof securityContract.verifyOldMobile

/** First step of changing the mobile: a code sent to the old one (or the e-mail) returns a flow for the second step. */
export async function verifyOldMobile(ctx: Ctx, { verifyCode }: InputOf<VerifyOldMobile>): Promise<ReplyOf<VerifyOldMobile>> {
  const user = await requireUser(ctx.db, ctx.userId)
  if (!listProvenTargets(user).length) fail('NO_CONTACT')
  const rules = await readCodeRules(ctx.settings)
  const flow = await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await consumeOwnCode(ctx, tx, { user, purpose: 'updateMobile', code: verifyCode, rules }))) return undefined
    const token = generateSessionToken()
    const expiresAt = new Date(ctx.clock.now().getTime() + FLOW_MS)
    await insertFlow(tx, { hash: hashToken(token), userId: ctx.userId, sessionId: ctx.sessionId, expiresAt })
    await tx.audit('account.mobile-change-begun', `user:${ctx.userId}`, { ip: ctx.ip })
    return token
  })
  return flow ? { verifyFlow: flow } : fail('CODE_WRONG')
}

import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { securityContract } from '../../contract-security.ts'
import { provenTargets, requireUser } from '../contacts.ts'
import { insertFlow } from '../sessions/data.ts'
import { useOwnCode } from '../codes/own-code.ts'
import { codeRules } from '../settings.ts'
import { newToken, tokenHash } from '../sessions/tokens.ts'

const FLOW_MS = 600_000

type VerifyOldMobile = typeof securityContract.verifyOldMobile

/** The first step of changing the mobile: the code to the old one (or the e-mail) gives a flow for the second. */
export async function verifyOldMobile(ctx: Ctx, { verifyCode }: InputOf<VerifyOldMobile>): Promise<ReplyOf<VerifyOldMobile>> {
  const user = await requireUser(ctx.db, ctx.userId)
  if (!provenTargets(user).length) fail('NO_CONTACT')
  const rules = await codeRules(ctx.settings)
  const flow = await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await useOwnCode(ctx, tx, user, 'updateMobile', verifyCode, rules))) return undefined
    const token = newToken()
    const expiresAt = new Date(ctx.clock.now().getTime() + FLOW_MS)
    await insertFlow(tx, { hash: tokenHash(token), userId: ctx.userId, sessionId: ctx.sessionId, expiresAt })
    await tx.audit('account.mobile-change-begun', `user:${ctx.userId}`, { ip: ctx.ip })
    return token
  })
  return flow ? { verifyFlow: flow } : fail('CODE_WRONG')
}

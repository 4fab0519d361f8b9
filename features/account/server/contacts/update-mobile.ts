import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { securityContract } from '../../contract-security.ts'
import { bindContact } from './bind-contact.ts'
import { requireUser } from '../contacts.ts'
import { consumeFlow } from '../sessions/data.ts'
import { readCodeRules } from '../settings.ts'
import { toMobileTarget } from '../target.ts'
import { buildCodeBinding, hashToken } from '../sessions/tokens.ts'
import { consumeCode } from '../codes/use-code.ts'

/** Last step of changing the mobile: consumes the new mobile's code and the flow of the first step together. */
export async function updateMobile(ctx: Ctx, { newMobile, verifyCode, verifyFlow }: InputOf<typeof securityContract.updateMobile>): Promise<{}> {
  const target = toMobileTarget(newMobile)
  const user = await requireUser(ctx.db, ctx.userId)
  if (user.mobile === newMobile) fail('MOBILE_SAME')
  const rules = await readCodeRules(ctx.settings)
  // audited by bindContact
  const refusal = await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await consumeCode(ctx, tx, { use: buildCodeBinding('bindMobile', target, ctx.userId), code: verifyCode, rules }))) return 'CODE_WRONG'
    if (!(await bindContact(ctx, tx, { user, target }))) return 'MOBILE_TAKEN'
    const flow = { hash: hashToken(verifyFlow), userId: ctx.userId, sessionId: ctx.sessionId, now: ctx.clock.now() }
    // throws to roll back the binding
    return (await consumeFlow(tx, flow)) ? undefined : fail('FLOW_ENDED')
  })
  return refusal ? fail(refusal) : {}
}

import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { securityContract } from '../../contract-security.ts'
import { bindContact } from './bind-contact.ts'
import { requireUser } from '../contacts.ts'
import { requireProven } from '../sessions/sessions.ts'
import { readCodeRules } from '../settings.ts'
import { toContactTarget } from '../target.ts'
import { buildCodeBinding } from '../sessions/tokens.ts'
import { consumeCode } from '../codes/use-code.ts'

/**
 * Binds the first e-mail or changes it. Requires a recent login or step-up, so a stolen session is not enough, and notifies the old mailbox.
 * EMAIL_TAKEN is returned only after a correct code.
 */
export async function updateEmail(ctx: Ctx, input: InputOf<typeof securityContract.updateEmail>): Promise<{}> {
  const target = toContactTarget({ email: input.email })
  const user = await requireUser(ctx.db, ctx.userId)
  if (user.emailKey === target.subject && user.emailVerifiedAt) fail('EMAIL_SAME')
  await requireProven(ctx)
  const rules = await readCodeRules(ctx.settings)
  // audited by bindContact
  const refusal = await transact(ctx.db, ctx.actor, async (tx) => {
    if (!(await consumeCode(ctx, tx, { use: buildCodeBinding('updateEmail', target, ctx.userId), code: input.verifyCode, rules }))) return 'CODE_WRONG'
    return (await bindContact(ctx, tx, { user, target })) ? undefined : 'EMAIL_TAKEN'
  })
  return refusal ? fail(refusal) : {}
}

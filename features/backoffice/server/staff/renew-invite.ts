import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { resolvePermissions } from '../../permissions.ts'
import { lockOperator } from '../access/data.ts'
import { createInvite } from '../access/invites.ts'
import { requireSteppedUpPerson } from '../access/require-person.ts'

/** Renews the invitation of an operator who has not joined yet; the inviter passes it on. */
export async function renewInvite(ctx: Ctx, { operatorId }: { readonly operatorId: string }): Promise<{ invite: string }> {
  requireSteppedUpPerson(ctx)
  const invite = await transact(ctx.db, ctx.actor, async (tx) => {
    const operator = await lockOperator(tx, operatorId)
    if (operator?.status !== 'invited') return fail('NOT_FOUND')
    if (![...resolvePermissions(operator.roles)].every((each) => ctx.operator!.permissions.has(each))) fail('OPERATOR_GRANT')
    await tx.audit('operator.invite-renewed', `operator:${operatorId}`, { ip: ctx.ip })
    return createInvite(ctx, tx, operatorId)
  })
  return { invite }
}

import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { openView } from '#features/account/server/door.ts'
import type { auditContract } from '../../contract-audit.console.ts'
import { requirePerson } from '../access/proven.ts'

/** The address opens once a tab; what it shows is a person's, so a script has no use for it. Throws NOT_FOUND. */
export async function viewAs(ctx: Ctx, { userId, reason }: InputOf<typeof auditContract.viewAs>): Promise<ReplyOf<typeof auditContract.viewAs>> {
  requirePerson(ctx)
  const { token, endsAt } = await transact(ctx.db, ctx.actor, (tx) => openView(ctx, tx, { userId, operatorId: ctx.operator!.id, reason }))
  return { url: `${ctx.siteUrl()}/api#view=${token}.${endsAt.getTime()}`, endsAt: endsAt.toISOString() }
}

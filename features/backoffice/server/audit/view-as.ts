import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { openView } from '#features/account/server/door.ts'
import type { auditContract } from '../../contract-audit.console.ts'
import { requirePerson } from '../access/require-person.ts'
import { revealsPerDay } from '../settings.ts'
import { countReveal } from './reveal.ts'

/** Opens a customer's account read-only, for a person, not a script. Counts as a reveal, since it shows both contacts. Throws NOT_FOUND, REVEAL_LIMIT. */
export async function viewAs(ctx: Ctx, { userId, reason }: InputOf<typeof auditContract.viewAs>): Promise<ReplyOf<typeof auditContract.viewAs>> {
  requirePerson(ctx)
  const most = await ctx.settings.get(revealsPerDay)
  const view = { userId, operatorId: ctx.operator!.id, reason }
  const { token, endsAt } = await transact(ctx.db, ctx.actor, async (tx) => {
    await countReveal(tx, { ...view, what: 'account', at: ctx.clock.now() }, most)
    return openView(ctx, tx, view) // audited there
  })
  return { url: `${ctx.siteUrl()}/api#view=${token}.${endsAt.getTime()}`, endsAt: endsAt.toISOString() }
}

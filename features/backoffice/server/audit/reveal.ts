import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { contactOf } from '#features/account/server/door.ts'
import type { auditContract } from '../../contract-audit.console.ts'
import { lockOperator } from '../access/data.ts'
import { requirePerson } from '../access/proven.ts'
import { revealsPerDay } from '../settings.ts'
import { insertReveal, revealsToday } from './data.ts'

/** One contact, once, to a person who says why; so many a day. Throws REVEAL_LIMIT, NOT_FOUND. */
export async function revealContact(ctx: Ctx, { userId, what, reason }: InputOf<typeof auditContract.reveal>): Promise<ReplyOf<typeof auditContract.reveal>> {
  requirePerson(ctx)
  const most = await ctx.settings.get(revealsPerDay)
  const now = ctx.clock.now()
  return transact(ctx.db, ctx.actor, async (tx) => {
    await lockOperator(tx, ctx.operator!.id)
    const contact = (await contactOf(tx, userId)) ?? fail('NOT_FOUND')
    const made = await revealsToday(tx, ctx.operator!.id, now)
    if (made >= most) fail('REVEAL_LIMIT')
    await insertReveal(tx, { operatorId: ctx.operator!.id, userId, what, reason, at: now })
    await tx.audit('contact.revealed', `user:${userId}`, { what, reason, ip: ctx.ip })
    return { value: contact[what], leftToday: most - made - 1 }
  })
}

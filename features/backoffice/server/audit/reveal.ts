import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { findContact } from '#features/account/server/door.ts'
import type { auditContract } from '../../contract-audit.console.ts'
import { lockOperator } from '../access/data.ts'
import { requirePerson } from '../access/require-person.ts'
import { revealsPerDay } from '../settings.ts'
import { insertReveal, countRevealsToday } from './data.ts'
import type { NewReveal } from './data.ts'

/** Reveals one contact once, to an operator who states a reason, up to a daily limit. Throws REVEAL_LIMIT, NOT_FOUND. */
export async function revealContact(ctx: Ctx, { userId, what, reason }: InputOf<typeof auditContract.reveal>): Promise<ReplyOf<typeof auditContract.reveal>> {
  requirePerson(ctx)
  const most = await ctx.settings.get(revealsPerDay)
  const now = ctx.clock.now()
  return transact(ctx.db, ctx.actor, async (tx) => {
    const contact = (await findContact(tx, userId)) ?? fail('NOT_FOUND')
    const leftToday = await countReveal(tx, { operatorId: ctx.operator!.id, userId, what, reason, at: now }, most)
    await tx.audit('contact.revealed', `user:${userId}`, { what, reason, ip: ctx.ip })
    return { value: contact[what], leftToday }
  })
}

/** Counts one reveal of a customer's contacts and returns how many are left today. Throws REVEAL_LIMIT. */
export async function countReveal(tx: Tx, reveal: NewReveal, most: number): Promise<number> {
  await lockOperator(tx, reveal.operatorId)
  const made = await countRevealsToday(tx, reveal.operatorId, reveal.at)
  if (made >= most) fail('REVEAL_LIMIT')
  await insertReveal(tx, reveal)
  return most - made - 1
}

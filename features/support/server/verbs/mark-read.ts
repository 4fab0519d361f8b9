import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { supportContract } from '../../contract.ts'
import { findOwn, markRead } from '../data.ts'
import { resolveConversationOwner } from '../visitor.ts'

/** Marks messages up to a number as shown; lower numbers change nothing. */
export async function markConversationRead(ctx: Ctx, { conversationId, seq, visitorToken }: InputOf<typeof supportContract.read>): Promise<{}> {
  const owner = resolveConversationOwner(ctx, visitorToken)
  const moved = await markRead(ctx.db, conversationId, { owner, seq })
  if (!moved && !(await findOwn(ctx.db, conversationId, owner))) fail('NOT_FOUND')
  return {}
}

import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { ConversationUpdate, supportContract } from '../../contract.ts'
import { findOwn, selectMessagesAfter, selectMessagesBefore } from '../data.ts'
import type { HeadRow } from '../data.ts'
import { toConversationUpdate } from '../views.ts'
import { resolveConversationOwner } from '../visitor.ts'

const PAGE = 50
const CATCH_UP = 200

/** Reads messages: after a sequence number (at most 200), before one (50), or the newest 50. `more`: there are more. */
export async function readMessages(
  ctx: Ctx,
  { conversationId, afterSeq, beforeSeq, visitorToken }: InputOf<typeof supportContract.messages>,
): Promise<ReplyOf<typeof supportContract.messages>> {
  const head = (await findOwn(ctx.db, conversationId, resolveConversationOwner(ctx, visitorToken))) ?? fail('NOT_FOUND')
  if (afterSeq !== undefined) return catchUp(ctx, head, afterSeq)
  const rows = await selectMessagesBefore(ctx.db, conversationId, { seq: beforeSeq ?? head.lastSeq + 1, limit: PAGE })
  return toConversationUpdate(head, rows, (rows[0]?.seq ?? 1) > 1)
}

/** Messages after a sequence number. The head is read first, so it may be older than the messages, and none is skipped. */
export async function catchUp(ctx: Pick<Ctx, 'db'>, head: HeadRow, afterSeq: number): Promise<ConversationUpdate> {
  const rows = await selectMessagesAfter(ctx.db, head.id, { seq: afterSeq, limit: CATCH_UP })
  return toConversationUpdate(head, rows, rows.length === CATCH_UP)
}

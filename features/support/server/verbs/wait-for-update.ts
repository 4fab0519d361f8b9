import { getNotifyChannel } from '#platform/server/database/notify-channel.ts'
import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { supportContract } from '../../contract.ts'
import { findOwn } from '../data.ts'
import { resolveConversationOwner } from '../visitor.ts'
import { catchUp } from './read-messages.ts'

type Wait = typeof supportContract.wait

/**
 * Answers as soon as the conversation is no longer what the page knows: a message, a state, a read mark. No connection of
 * the database is held while waiting. The page says what it has, so a lost answer is asked for again.
 */
export async function waitForUpdate(ctx: Ctx, input: InputOf<Wait>): Promise<ReplyOf<Wait>> {
  const owner = resolveConversationOwner(ctx, input.visitorToken)
  const find = async () => (await findOwn(ctx.db, input.conversationId, owner)) ?? fail('NOT_FOUND')
  const until = Date.now() + input.waitSeconds * 1000
  for (;;) {
    const left = until - Date.now()
    const waiting = left > 0 ? getNotifyChannel(ctx, 'support').wait(input.conversationId, owner.userId || owner.visitorId) : undefined
    try {
      const head = await find()
      if (head.version !== input.version || head.last_seq > input.afterSeq || !waiting) return await catchUp(ctx, head, input.afterSeq)
      await waiting.rung(left)
    } finally {
      waiting?.cancel()
    }
  }
}

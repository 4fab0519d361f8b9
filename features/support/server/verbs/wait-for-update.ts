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
 * Responds as soon as the conversation differs from the page's state: a message, a state, a read mark. Holds no database connection while
 * waiting. The page sends its state, so a lost response is returned again.
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
      if (head.version !== input.version || head.lastSeq > input.afterSeq || !waiting) return await catchUp(ctx, head, input.afterSeq)
      await waiting.rung(left)
    } finally {
      waiting?.cancel()
    }
  }
}

import type { Deps } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Actor } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { appendMessage } from '../data.ts'
import { lockAny } from './data.ts'

/** Closes a conversation; a message of its user opens it again. Idempotent. NOT_FOUND. */
export async function closeConversation(deps: Pick<Deps, 'db' | 'clock'>, actor: Actor, conversationId: string): Promise<void> {
  await transact(deps.db, actor, async (tx) => {
    const { state, userId } = (await lockAny(tx, conversationId)) ?? fail('NOT_FOUND')
    if (state === 'closed') return
    await appendMessage(tx, conversationId, { message: { author: 'system', event: 'closed' }, state: 'closed', now: deps.clock.now() })
    await tx.audit('support.conversation-closed', `conversation:${conversationId}`)
    await tx.emit('support.conversation.closed', { conversationId, userId: userId ?? '' })
  })
}

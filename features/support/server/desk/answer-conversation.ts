import type { Deps } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Actor } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { messageText } from '../../contract.ts'
import { appendMessage, findByClientId, scheduleUserMail } from '../data.ts'
import type { MessageRow } from '../data.ts'
import { lockAny } from './data.ts'
import { awaySeconds, userMailPauseSeconds } from '../settings.ts'

export interface OperatorAnswer {
  readonly conversationId: string
  /** 1 to 4,000 characters. */
  readonly text: string
  /** Idempotency key: the same one again is one answer. */
  readonly clientId?: string
}

/**
 * Sends an operator's answer. The user's page shows it immediately; if the user has not seen it after `support.awaySeconds`, it is mailed.
 * NOT_FOUND, BAD_INPUT. The caller (back office, command line, sandbox page) checks that the operator may answer.
 */
export async function answerConversation(
  deps: Pick<Deps, 'db' | 'settings' | 'clock'>,
  actor: Actor,
  { conversationId, text, clientId }: OperatorAnswer,
): Promise<MessageRow> {
  const parsed = messageText.safeParse(text)
  if (!parsed.success) return fail('BAD_INPUT', { fields: ['text'] })
  const now = deps.clock.now()
  const away = await deps.settings.get(awaySeconds)
  const pause = await deps.settings.get(userMailPauseSeconds)
  return transact(deps.db, actor, async (tx) => {
    const { userId } = (await lockAny(tx, conversationId)) ?? fail('NOT_FOUND')
    const added = await appendMessage(tx, conversationId, {
      message: { author: 'operator', clientId, operatorId: actor.id, text: parsed.data },
      state: 'waiting',
      now,
    })
    if (!added) return (await findByClientId(tx, conversationId, { author: 'operator', clientId: clientId! }))!
    await scheduleUserMail(tx, conversationId, { at: new Date(now.getTime() + away * 1000), pauseSeconds: pause })
    await tx.audit('support.message-answered', `conversation:${conversationId}`, { seq: added.seq })
    await tx.emit('support.message.answered', { conversationId, seq: added.seq, userId: userId ?? '' })
    return added
  })
}

import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import type { supportContract } from '../../contract.ts'
import { appendMessage, findByClientId, findOwn, lockOwn, scheduleOperatorMail } from '../data.ts'
import { readMessageLimits, requireWithinLimits } from '../limits.ts'
import { operatorMailPauseSeconds, operatorMailSeconds } from '../settings.ts'
import { toConversationHead, toMessage } from '../views.ts'
import { resolveConversationOwner } from '../visitor.ts'

type Send = typeof supportContract.send

/** Stores a message once per client id. A message to a closed conversation opens it again. NOT_FOUND for another person's conversation. */
export async function sendMessage(ctx: Ctx, { conversationId: id, clientId, text, visitorToken }: InputOf<Send>): Promise<ReplyOf<Send>> {
  const owner = resolveConversationOwner(ctx, visitorToken)
  const now = ctx.clock.now()
  const limits = await readMessageLimits(ctx, owner.visitorId)
  const mailSeconds = await ctx.settings.get(operatorMailSeconds)
  const pause = await ctx.settings.get(operatorMailPauseSeconds)
  const written = await transact(ctx.db, ctx.actor, async (tx) => {
    const { state } = (await lockOwn(tx, id, owner)) ?? fail('NOT_FOUND')
    const earlier = await findByClientId(tx, id, { author: 'user', clientId })
    if (earlier) return earlier
    await requireWithinLimits(tx, limits, now)
    if (state === 'closed') await appendMessage(tx, id, { message: { author: 'system', event: 'reopened' }, state: 'open', now })
    const added = (await appendMessage(tx, id, { message: { author: 'user', clientId, text }, state: 'open', now }))!
    await scheduleOperatorMail(tx, id, { lang: ctx.lang, at: new Date(now.getTime() + mailSeconds * 1000), pauseSeconds: pause })
    await tx.audit('support.message-sent', `conversation:${id}`, { seq: added.seq, ip: ctx.ip })
    await tx.emit('support.message.sent', { conversationId: id, seq: added.seq, userId: ctx.userId })
    return added
  })
  const head = (await findOwn(ctx.db, id, owner)) ?? fail('NOT_FOUND')
  return { conversation: toConversationHead(head), message: toMessage(written) }
}

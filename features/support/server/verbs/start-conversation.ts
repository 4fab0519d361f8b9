import { createHash } from 'node:crypto'
import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import type { supportContract } from '../../contract.ts'
import { appendMessage, findByStart, findOwn, insertConversation, lockOwn, selectMessagesAfter, scheduleOperatorMail } from '../data.ts'
import { requireWithinLimits, readStartLimits } from '../limits.ts'
import { operatorMailPauseSeconds, operatorMailSeconds } from '../settings.ts'
import { toConversationUpdate } from '../views.ts'
import { resolveConversationOwner, createVisitorToken } from '../visitor.ts'
import type { ConversationOwner } from '../visitor.ts'

type Start = typeof supportContract.start

/**
 * Starts a conversation with its first message, once per client id, however often and in parallel it is sent. A visitor gets the token that
 * opens it; the same request again returns the same token, another text under that id returns nothing.
 */
export async function startConversation(ctx: Ctx, input: InputOf<Start>): Promise<ReplyOf<Start>> {
  const known = resolveConversationOwner(ctx, input.visitorToken)
  if (!known.userId && !input.email) fail('BAD_INPUT', { fields: ['email'] })
  const now = ctx.clock.now()
  const owner: ConversationOwner = known.userId
    ? { userId: known.userId, visitorId: '' }
    : { userId: '', visitorId: known.visitorId || createId('vis', now.getTime()) }
  const startHash = createHash('sha256')
    .update(JSON.stringify([owner.userId, input.email ?? '', input.topic, input.orderNo ?? '', input.text]))
    .digest()
  const limits = await readStartLimits(ctx)
  const mailSeconds = await ctx.settings.get(operatorMailSeconds)
  const pause = await ctx.settings.get(operatorMailPauseSeconds)
  // anybody may: a visitor's message is what this is for; limits stand in its way
  const mine = await transact(ctx.db, ctx.actor, async (tx) => {
    const id = createId('conv', now.getTime())
    const fresh = await insertConversation(tx, {
      id,
      userId: owner.userId || null,
      visitorId: owner.visitorId || null,
      visitorEmail: owner.userId ? null : input.email!,
      startId: input.clientId,
      startHash,
      lang: ctx.lang,
      topic: input.topic,
      orderNo: input.orderNo ?? null,
      now,
    })
    if (!fresh) {
      const earlier = await findByStart(tx, input.clientId)
      if (!earlier?.startHash.equals(startHash)) return fail('BAD_INPUT', { fields: ['clientId'] })
      return { id: earlier.id, userId: earlier.userId ?? '', visitorId: earlier.visitorId ?? '' }
    }
    await requireWithinLimits(tx, limits, now)
    await lockOwn(tx, id, owner)
    if (input.orderNo) await appendMessage(tx, id, { message: { author: 'system', event: 'order', detail: input.orderNo }, state: 'open', now })
    const written = await appendMessage(tx, id, { message: { author: 'user', clientId: input.clientId, text: input.text }, state: 'open', now })
    await scheduleOperatorMail(tx, id, { lang: ctx.lang, at: new Date(now.getTime() + mailSeconds * 1000), pauseSeconds: pause })
    await tx.audit('support.conversation-started', `conversation:${id}`, { topic: input.topic, ip: ctx.ip })
    await tx.emit('support.message.sent', { conversationId: id, seq: written!.seq, userId: owner.userId })
    return { id, ...owner }
  })
  const head = await findOwn(ctx.db, mine.id, mine)
  return {
    ...toConversationUpdate(head!, await selectMessagesAfter(ctx.db, mine.id, { seq: 0, limit: 200 }), false),
    visitorToken: mine.visitorId ? createVisitorToken(ctx.secretKey, mine.visitorId) : null,
  }
}

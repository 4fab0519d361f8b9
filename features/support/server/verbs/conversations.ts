import { createHash } from 'node:crypto'
import type { Ctx } from '#platform/server/feature.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { createId } from '#platform/shared/ids.ts'
import type { supportContract, ConversationUpdate } from '../../contract.ts'
import {
  appendMessage,
  findByStart,
  findOwn,
  insertConversation,
  lockOwn,
  selectMessagesAfter,
  scheduleOperatorMail,
  findByClientId,
  selectMessagesBefore,
  type HeadRow,
  markRead,
} from '../data.ts'
import { requireWithinLimits, readStartLimits, readMessageLimits } from '../limits.ts'
import { operatorMailPauseSeconds, operatorMailSeconds } from '../settings.ts'
import { toConversationUpdate, toConversationHead, toMessage } from '../views.ts'
import { resolveConversationOwner, createVisitorToken, type ConversationOwner } from '../contact.ts'
import { getNotifyChannel } from '#platform/server/database/notify-channel.ts'

/** Marks messages up to a number as shown; lower numbers change nothing. */
export async function markConversationRead(ctx: Ctx, { conversationId, seq, visitorToken }: InputOf<typeof supportContract.read>): Promise<{}> {
  const owner = resolveConversationOwner(ctx, visitorToken)
  const moved = await markRead(ctx.db, conversationId, { owner, seq })
  if (!moved && !(await findOwn(ctx.db, conversationId, owner))) fail('NOT_FOUND')
  return {}
}

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

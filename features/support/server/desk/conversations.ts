import { type Deps, type Ctx, bind } from '#platform/server/feature.ts'
import { transact, type Actor } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { messageText } from '../../contract.ts'
import {
  appendMessage,
  findByClientId,
  scheduleUserMail,
  type MessageRow,
  selectMessagesAfter,
  type HeadRow,
  type ConversationState,
  type ConversationRow,
} from '../data.ts'
import { lockAny, findAny, listAll, markSeenByDesk, selectComplaint, readInbox, toPriority, resolveInboxState } from './data.ts'
import { awaySeconds, userMailPauseSeconds } from '../settings.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { supportDeskContract, PRIORITIES } from '../../contract-desk.console.ts'

type C = typeof supportDeskContract

/** w***g@x.cn: the full address is revealed only with a reason. */
function maskMail(mail: string | null): string | null {
  if (mail === null) return null
  const [local = '', domain = ''] = mail.split('@')
  return `${local.slice(0, 1)}***${local.length > 2 ? local.slice(-1) : ''}@${domain}`
}

function parseCursor(after: string | undefined): { priority: number; at: Date; id: string } | undefined {
  const [, priority = '', at = '', id = ''] = /^([0-2]) (\S+) (.+)$/.exec(after ?? '') ?? []
  return Number.isNaN(Date.parse(at)) ? undefined : { priority: Number(priority), at: new Date(at), id }
}

/** Inbox state, priority and snooze of a conversation; an expired snooze is left out. */
function buildInboxState(row: Pick<ConversationRow, 'state' | 'priority' | 'snoozedUntil' | 'snoozedBy'>, now: Date) {
  const state = resolveInboxState(row, now)
  const sleeps = state === 'snoozed'
  return {
    state,
    priority: toPriority(row.priority),
    snoozedUntil: sleeps ? row.snoozedUntil!.toISOString() : null,
    snoozedBy: sleeps ? row.snoozedBy : null,
  }
}

async function inbox({ db, clock }: Ctx, { kind, state, priority, q, after, limit }: InputOf<C['inbox']>): Promise<ReplyOf<C['inbox']>> {
  const now = clock.now()
  const found = await readInbox(db, { kind, state, priority, now, find: q?.trim() || undefined, after: parseCursor(after), limit: limit + 1 })
  const rows = found.slice(0, limit).map((row) => ({
    ...{ id: row.id, kind: row.kind, userId: row.userId, visitor: row.userId === null ? maskMail(row.mail) : null },
    ...{ text: row.text.slice(0, 200), orderNo: row.orderNo, at: row.at.toISOString() },
    ...buildInboxState(row, now),
  }))
  const last = rows.at(-1)
  return { rows, next: found.length > limit && last ? `${PRIORITIES.indexOf(last.priority)} ${last.at} ${last.id}` : null }
}

async function talk({ db, clock }: Ctx, { id }: InputOf<C['talk']>): Promise<ReplyOf<C['talk']>> {
  const head = (await findAny(db, id)) ?? fail('NOT_FOUND')
  const messages = await selectMessagesAfter(db, id, { seq: Math.max(0, head.lastSeq - 1000), limit: 1000 })
  return {
    ...{ id, kind: 'conversation', userId: head.userId, visitor: head.userId === null ? maskMail(head.visitorEmail) : null, topic: head.topic },
    ...{ text: head.preview ?? '', orderNo: head.orderNo, at: head.updatedAt.toISOString() },
    ...buildInboxState(head, clock.now()),
    messages: messages.map(({ seq, author, operatorId, event, detail, text, at }) => ({
      ...{ seq, author, operatorId, event, detail, text, at: at.toISOString() },
    })),
  }
}

async function complaint({ db }: Ctx, { id }: InputOf<C['complaint']>): Promise<ReplyOf<C['complaint']>> {
  const row = (await selectComplaint(db, id)) ?? fail('NOT_FOUND')
  return {
    ...{ id, kind: 'complaint', userId: row.userId, visitor: row.userId === null ? maskMail(row.email) : null, text: row.content, orderNo: row.orderNo },
    ...{ state: row.state, priority: 'normal', snoozedUntil: null, snoozedBy: null },
    ...{ at: row.createdAt.toISOString(), lang: row.lang, answer: row.answer, answeredBy: row.answeredBy },
    closedAt: row.closedAt?.toISOString() ?? null,
  }
}

export const supportDeskRoutes = bind(supportDeskContract, { inbox, talk, complaint })

/** A conversation as operators see it. `from`: user id, or the visitor's e-mail. */
export interface DeskConversation {
  readonly id: string
  readonly from: string
  readonly signedIn: boolean
  readonly topic: string
  readonly orderNo: string | null
  readonly state: ConversationState
  readonly preview: string
  readonly lastSeq: number
  /** Open, with messages of the user that no operator has seen. */
  readonly isNew: boolean
  readonly updatedAt: Date
}

const buildView = (row: HeadRow): DeskConversation => ({
  id: row.id,
  from: row.userId ?? row.visitorEmail ?? '',
  signedIn: row.userId !== null,
  topic: row.topic,
  orderNo: row.orderNo,
  state: row.state,
  preview: row.preview ?? '',
  lastSeq: row.lastSeq,
  isNew: row.operatorReadSeq < row.lastSeq && row.state === 'open',
  updatedAt: row.updatedAt,
})

/** Newest first, at most 100 at once; continue with `before`, the `updatedAt` of the last one. */
export async function listConversations(sql: Sql, wish: { state?: ConversationState; before?: Date; limit?: number } = {}): Promise<DeskConversation[]> {
  return (await listAll(sql, { state: wish.state, before: wish.before, limit: Math.min(wish.limit ?? 50, 100) })).map(buildView)
}

/** One conversation with its newest thousand messages, oldest first; opening it shows the user that it was seen. NOT_FOUND. */
export async function openConversation(sql: Sql, id: string): Promise<DeskConversation & { readonly messages: readonly MessageRow[] }> {
  const head = (await findAny(sql, id)) ?? fail('NOT_FOUND')
  await markSeenByDesk(sql, id)
  return { ...buildView(head), messages: await selectMessagesAfter(sql, id, { seq: Math.max(0, head.lastSeq - 1000), limit: 1000 }) }
}

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

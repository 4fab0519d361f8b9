import type { Ctx } from '#platform/server/feature.ts'
import type { InputOf, ReplyOf } from '#platform/shared/contract.ts'
import { fail } from '#platform/shared/errors.ts'
import { bind } from '#platform/server/feature.ts'
import { supportDeskContract } from '../../contract-desk.console.ts'
import { PRIORITIES } from '../../contract-desk.console.ts'
import { selectMessagesAfter } from '../data.ts'
import type { ConversationRow } from '../data.ts'
import { findAny } from './data.ts'
import { selectComplaint, readInbox } from './data-inbox.ts'
import { toPriority, resolveInboxState } from './data-order.ts'

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

import { first, type Sql } from '#platform/server/database/db.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { SupportConversationsRow, SupportMessagesRow } from './tables.ts'
import type { ConversationOwner } from './contact.ts'

export async function insertComplaint(
  sql: Sql,
  complaint: { id: string; userId: string | null; email: string; content: string; orderNo: string | null; lang: Lang; now: Date },
): Promise<void> {
  await sql.query('insert into support_complaints (id, user_id, email, content, order_no, lang, created_at) values ($1,$2,$3,$4,$5,$6,$7)', [
    complaint.id,
    complaint.userId,
    complaint.email,
    complaint.content,
    complaint.orderNo,
    complaint.lang,
    complaint.now,
  ])
}

/** All support data of a user, oldest first. */
export async function selectUserRecords(sql: Sql, userId: string): Promise<{ conversations: unknown[]; complaints: unknown[] }> {
  const conversations = await sql.query(
    `select c.id, c.topic, c.order_no as "orderNo", c.state, c.created_at as "createdAt", (
      select coalesce(json_agg(json_build_object('seq', m.seq, 'from', m.author, 'event', m.event, 'detail', m.detail, 'text', m.text, 'at', m.at) order by m.seq), '[]')
      from support_messages m where m.conversation_id = c.id) as messages
    from support_conversations c where c.user_id = $1 order by c.created_at, c.id`,
    [userId],
  )
  const complaints = await sql.query(
    `select id, email, content, order_no as "orderNo", state, created_at as "createdAt" from support_complaints where user_id = $1 order by created_at, id`,
    [userId],
  )
  return { conversations, complaints }
}

/** Deletes the conversations of a closed account; its complaints stay, without personal data. */
export async function deleteUserConversations(sql: Sql, userId: string): Promise<void> {
  await sql.query('delete from support_conversations where user_id = $1', [userId])
  await sql.query(`update support_complaints set user_id = null, email = 'deleted@invalid' where user_id = $1`, [userId])
}

/** Deletes expired records; returns the number of deleted conversations. */
export async function deleteOldRecords(sql: Sql, before: { user: Date; visitor: Date; complaint: Date }): Promise<number> {
  const gone = await sql.query(
    'delete from support_conversations where (user_id is not null and updated_at < $1) or (visitor_id is not null and updated_at < $2) returning 1',
    [before.user, before.visitor],
  )
  await sql.query('delete from support_complaints where created_at < $1', [before.complaint])
  return gone.length
}

export type ConversationState = 'open' | 'waiting' | 'closed'
export type Author = 'user' | 'operator' | 'system'
export type SystemEvent = 'order' | 'closed' | 'reopened'

export interface ConversationRow extends Omit<SupportConversationsRow, 'startId' | 'userMailAt' | 'userMailedSeq' | 'operatorMailAt' | 'priority'> {
  /** 0 urgent, 1 high, 2 normal. */
  readonly priority: number
}

export type MessageRow = Pick<SupportMessagesRow, 'seq' | 'author' | 'clientId' | 'operatorId' | 'event' | 'detail' | 'text' | 'at'>

/** A conversation with its fields for lists. */
export interface HeadRow extends ConversationRow {
  readonly unread: number
  readonly preview: string | null
  readonly previewAuthor: Author | null
}

const MESSAGE = 'seq, author, client_id, operator_id, event, detail, text, at'

/** Inserts a conversation; false if the same start id began it before, in this or another transaction. */
export async function insertConversation(
  sql: Sql,
  row: {
    id: string
    userId: string | null
    visitorId: string | null
    visitorEmail: string | null
    startId: string
    startHash: Buffer
    lang: Lang
    topic: string
    orderNo: string | null
    now: Date
  },
): Promise<boolean> {
  const rows = await sql.query(
    `insert into support_conversations (id, user_id, visitor_id, visitor_email, start_id, start_hash, lang, topic, order_no, created_at, updated_at)
    values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$10) on conflict (start_id) do nothing returning 1`,
    [row.id, row.userId, row.visitorId, row.visitorEmail, row.startId, row.startHash, row.lang, row.topic, row.orderNo, row.now],
  )
  return rows.length === 1
}

export async function findByStart(sql: Sql, startId: string): Promise<ConversationRow | undefined> {
  return first(await sql.query<ConversationRow>('select * from support_conversations where start_id = $1', [startId]))
}

/** Finds and locks a conversation of the caller until the transaction ends, so that its messages are numbered one by one. */
export async function lockOwn(sql: Sql, id: string, owner: ConversationOwner): Promise<ConversationRow | undefined> {
  return first(
    await sql.query<ConversationRow>(
      `select * from support_conversations where id = $1 and (user_id = nullif($2, '') or visitor_id = nullif($3, '')) for update`,
      [id, owner.userId, owner.visitorId],
    ),
  )
}

export interface NewMessage {
  readonly author: Author
  readonly clientId?: string | undefined
  readonly operatorId?: string | undefined
  readonly event?: SystemEvent
  readonly detail?: string
  readonly text?: string
}

/**
 * Appends a message to a conversation whose row is locked. Returns undefined if this client id was already stored. Updates the state and
 * its version and notifies waiting clients. A snooze ends when the customer writes and when the conversation is closed; an expired one ends
 * with our answer.
 */
export async function appendMessage(
  sql: Sql,
  conversationId: string,
  { message, state, now }: { readonly message: NewMessage; readonly state: ConversationState; readonly now: Date },
): Promise<MessageRow | undefined> {
  const added = first(
    await sql.query<MessageRow>(
      `insert into support_messages (conversation_id, seq, author, client_id, operator_id, event, detail, text, at)
      select id, last_seq + 1, $2, $3, $4, $5, $6, $7, $8 from support_conversations where id = $1
      on conflict (conversation_id, author, client_id) where client_id is not null do nothing returning ${MESSAGE}`,
      [
        conversationId,
        message.author,
        message.clientId ?? null,
        message.operatorId ?? null,
        message.event ?? null,
        message.detail ?? '',
        message.text ?? '',
        now,
      ],
    ),
  )
  if (!added) return undefined
  const wakes = `($5 = 'user' or $3 = 'closed' or ($5 = 'operator' and snoozed_until <= $4))`
  await sql.query(
    `update support_conversations set last_seq = $2, state = $3, version = version + 1, updated_at = $4,
      snoozed_until = case when ${wakes} then null else snoozed_until end, snoozed_by = case when ${wakes} then null else snoozed_by end where id = $1`,
    [conversationId, added.seq, state, now, message.author],
  )
  await notifyConversation(sql, conversationId)
  return added
}

export async function findByClientId(
  sql: Sql,
  conversationId: string,
  { author, clientId }: { readonly author: Author; readonly clientId: string },
): Promise<MessageRow | undefined> {
  return first(
    await sql.query<MessageRow>(`select ${MESSAGE} from support_messages where conversation_id = $1 and author = $2 and client_id = $3`, [
      conversationId,
      author,
      clientId,
    ]),
  )
}

/** Schedules a mail to the support address after a user's message: once per burst, and not more often than the pause. */
export async function scheduleOperatorMail(
  sql: Sql,
  id: string,
  { lang, at, pauseSeconds }: { readonly lang: Lang; readonly at: Date; readonly pauseSeconds: number },
): Promise<void> {
  await sql.query(
    `update support_conversations set lang = $2,
      operator_mail_at = coalesce(operator_mail_at, greatest($3::timestamptz, operator_mailed_at + make_interval(secs => $4))) where id = $1`,
    [id, lang, at, pauseSeconds],
  )
}

/**
 * Updates the schedule after our answer: cancels the mail to the support address, marks all messages as read, and schedules a mail to the
 * user unless the user sees the answer.
 */
export async function scheduleUserMail(sql: Sql, id: string, { at, pauseSeconds }: { readonly at: Date; readonly pauseSeconds: number }): Promise<void> {
  await sql.query(
    `update support_conversations set operator_read_seq = last_seq, operator_mail_at = null,
      user_mail_at = coalesce(user_mail_at, greatest($2::timestamptz, user_mailed_at + make_interval(secs => $3))) where id = $1`,
    [id, at, pauseSeconds],
  )
}

export const HEAD = `c.*,
  (select count(*)::int from support_messages m where m.conversation_id = c.id and m.author = 'operator' and m.seq > c.user_read_seq) as unread,
  p.text as preview, p.author as preview_author`
export const LAST_MESSAGE_JOIN = `left join lateral (select text, author from support_messages m where m.conversation_id = c.id and m.author <> 'system'
  order by seq desc limit 1) p on true`

export function listOwn(sql: Sql, owner: ConversationOwner): Promise<HeadRow[]> {
  return sql.query<HeadRow>(
    `select ${HEAD} from support_conversations c ${LAST_MESSAGE_JOIN}
    where c.user_id = nullif($1, '') or c.visitor_id = nullif($2, '') order by c.updated_at desc, c.id desc limit 50`,
    [owner.userId, owner.visitorId],
  )
}

export async function findOwn(sql: Sql, id: string, owner: ConversationOwner): Promise<HeadRow | undefined> {
  return first(
    await sql.query<HeadRow>(
      `select ${HEAD} from support_conversations c ${LAST_MESSAGE_JOIN}
      where c.id = $1 and (c.user_id = nullif($2, '') or c.visitor_id = nullif($3, ''))`,
      [id, owner.userId, owner.visitorId],
      'support.find-own',
    ),
  )
}

/** Oldest first. */
export function selectMessagesAfter(sql: Sql, id: string, { seq, limit }: { readonly seq: number; readonly limit: number }): Promise<MessageRow[]> {
  return sql.query<MessageRow>(
    `select ${MESSAGE} from support_messages where conversation_id = $1 and seq > $2 order by seq limit $3`,
    [id, seq, limit],
    'support.messages-after',
  )
}

/** The `limit` messages before a number, oldest first. */
export function selectMessagesBefore(sql: Sql, id: string, { seq, limit }: { readonly seq: number; readonly limit: number }): Promise<MessageRow[]> {
  return sql.query<MessageRow>(
    `select * from (select ${MESSAGE} from support_messages where conversation_id = $1 and seq < $2 order by seq desc limit $3) newest order by seq`,
    [id, seq, limit],
  )
}

/**
 * Moves the user's read marker forward, at most to the last message, and cancels a mail about messages now seen. Returns false if nothing changed.
 */
export async function markRead(sql: Sql, id: string, { owner, seq }: { readonly owner: ConversationOwner; readonly seq: number }): Promise<boolean> {
  const rows = await sql.query(
    `with moved as (
      update support_conversations set user_read_seq = least($4, last_seq), version = version + 1,
        user_mail_at = case when $4 >= last_seq then null else user_mail_at end
      where id = $1 and (user_id = nullif($2, '') or visitor_id = nullif($3, '')) and user_read_seq < least($4, last_seq) returning id)
    select pg_notify('support', id) from moved`,
    [id, owner.userId, owner.visitorId, seq],
  )
  return rows.length === 1
}

/** Notifies all processes of news in a conversation when the transaction commits. */
export async function notifyConversation(sql: Sql, conversationId: string): Promise<void> {
  await sql.query(`select pg_notify('support', $1)`, [conversationId])
}

/** A conversation with unmailed messages: their number and an excerpt of the newest. */
export interface MessageBurst extends ConversationRow {
  readonly count: number
  readonly excerpt: string
}

/**
 * Claims one conversation due for a mail to its user and clears the due mark in the same statement, so only
 * one process gets it. If the user has seen all messages meanwhile, it clears the mark too and `count` is 0.
 */
export async function claimUserMail(sql: Sql, now: Date): Promise<MessageBurst | undefined> {
  return claimMail(sql, now, { reader: 'user', author: 'operator', seen: 'user_read_seq' })
}

/** Claims one conversation due for a mail to the support address: messages of users that are neither read nor mailed. */
export async function claimOperatorMail(sql: Sql, now: Date): Promise<MessageBurst | undefined> {
  return claimMail(sql, now, { reader: 'operator', author: 'user', seen: 'operator_read_seq' })
}

async function claimMail(
  sql: Sql,
  now: Date,
  { reader, author, seen }: { readonly reader: 'user' | 'operator'; readonly author: 'user' | 'operator'; readonly seen: string },
): Promise<MessageBurst | undefined> {
  const told = `${reader}_mailed_seq`
  return first(
    await sql.query<MessageBurst>(
      `with due as (
        select id, greatest(${seen}, ${told}) as known from support_conversations where ${reader}_mail_at <= $1
        order by ${reader}_mail_at limit 1 for update skip locked),
      burst as (
        select d.id, count(m.seq)::int as count, max(m.seq) as newest from due d
        left join support_messages m on m.conversation_id = d.id and m.author = $2 and m.seq > d.known group by d.id)
      update support_conversations c set ${reader}_mail_at = null,
        ${reader}_mailed_at = case when b.count > 0 then $1 else c.${reader}_mailed_at end, ${told} = coalesce(b.newest, c.${told})
      from burst b where c.id = b.id
      returning c.*, b.count,
        coalesce((select text from support_messages m where m.conversation_id = c.id and m.seq = b.newest), '') as excerpt`,
      [now, author],
    ),
  )
}

import { first, type Sql } from '#platform/server/database/db.ts'
import { HEAD, LAST_MESSAGE_JOIN, type ConversationRow, type HeadRow, type ConversationState } from '../data.ts'
import { PRIORITIES, type Priority } from '../../contract-desk.console.ts'
import type { SupportComplaintsRow } from '../tables.ts'

interface SupportInboxRow {
  readonly id: string
  readonly kind: 'conversation' | 'complaint'
  readonly userId: string | null
  readonly mail: string | null
  readonly text: string
  readonly orderNo: string | null
  readonly state: ConversationState
  readonly at: Date
  /** As in `PRIORITIES`; complaints are normal. */
  readonly priority: number
  readonly snoozedUntil: Date | null
  readonly snoozedBy: string | null
}

/** SQL conditions of the inbox states. After a snooze, a conversation is open again, whichever side wrote last. $7: now. */
const WHERE: Readonly<Record<ConversationState | 'snoozed', string>> = {
  open: `(c.state = 'open' and (c.snoozed_until is null or c.snoozed_until <= $7) or c.state = 'waiting' and c.snoozed_until <= $7)`,
  waiting: `c.state = 'waiting' and c.snoozed_until is null`,
  snoozed: 'c.snoozed_until > $7',
  closed: `c.state = 'closed'`,
}

const NORMAL = PRIORITIES.indexOf('normal')

interface InboxQuery {
  readonly kind: 'conversation' | 'complaint' | undefined
  readonly state: ConversationState | 'snoozed'
  readonly priority: Priority | undefined
  readonly now: Date
  readonly find: string | undefined
  readonly after: { readonly priority: number; readonly at: Date; readonly id: string } | undefined
  readonly limit: number
}

/** Conversations and complaints in one list, urgent first, then oldest first: each half by its own index, no longer than the page. */
export function readInbox(sql: Sql, { kind, state, priority, now, find, after, limit }: InboxQuery): Promise<SupportInboxRow[]> {
  const like = find ? `%${find.replaceAll(/[\\%_]/g, String.raw`\$&`)}%` : null
  return sql.query<SupportInboxRow>(
    `select * from (
      (select c.id, 'conversation' as kind, c.user_id, c.visitor_email as mail, coalesce(l.text, c.topic) as text, c.order_no, c.state, c.updated_at as at, c.priority, c.snoozed_until, c.snoozed_by
        from support_conversations c left join lateral (select text from support_messages m where m.conversation_id = c.id and m.author = 'user' order by seq desc limit 1) l on true
        where ($1::text is null or $1 = 'conversation') and $7::timestamptz is not null and ${WHERE[state]} and ($8::int is null or c.priority = $8) and ($3::timestamptz is null or (c.priority, c.updated_at, c.id) > ($9, $3, $4))
          and ($5::text is null or l.text ilike $5 or c.topic ilike $5 or c.order_no ilike $5 or c.user_id ilike $5) order by c.priority, c.updated_at, c.id limit $6)
      union all
      (select id, 'complaint', user_id, email, content, order_no, state, created_at, ${NORMAL}, null::timestamptz, null from support_complaints
        where ($1::text is null or $1 = 'complaint') and state = $2 and ($8::int is null or $8 = ${NORMAL}) and ($3::timestamptz is null or (${NORMAL}, created_at, id) > ($9, $3, $4))
          and ($5::text is null or content ilike $5 or order_no ilike $5 or user_id ilike $5) order by created_at, id limit $6)
    ) inbox order by priority, at, id limit $6`,
    [
      ...[kind ?? null, state, after?.at ?? null, after?.id ?? '', like, limit, now],
      ...[priority === undefined ? null : PRIORITIES.indexOf(priority), after?.priority ?? 0],
    ],
  )
}

type ComplaintRow = SupportComplaintsRow

export async function selectComplaint(sql: Sql, id: string): Promise<ComplaintRow | undefined> {
  return first(await sql.query<ComplaintRow>('select * from support_complaints where id = $1', [id]))
}

/** Closes a complaint; false if it is closed already. */
export async function closeComplaint(sql: Sql, id: string, answered: { text: string; by: string; at: Date }): Promise<boolean> {
  const rows = await sql.query(
    `update support_complaints set state = 'closed', answer = $2, answered_by = $3, closed_at = $4 where id = $1 and state = 'open' returning 1`,
    [id, answered.text, answered.by, answered.at],
  )
  return rows.length === 1
}

type SnoozeState = Pick<ConversationRow, 'state' | 'snoozedUntil'>

/** State for the inbox: after a snooze, a conversation is open again, whichever side wrote last. */
export function resolveInboxState({ state, snoozedUntil: until }: SnoozeState, now: Date): ConversationState | 'snoozed' {
  if (until === null) return state
  return until > now ? 'snoozed' : 'open'
}

export const toPriority = (rank: number): Priority => PRIORITIES[rank] ?? 'normal'

/** Returns undefined if the conversation is closed or missing. */
export async function snoozeConversation(
  sql: Sql,
  id: string,
  { until, by }: { readonly until: Date; readonly by: string },
): Promise<ConversationRow | undefined> {
  return first(
    await sql.query<ConversationRow>(`update support_conversations set snoozed_until = $2, snoozed_by = $3 where id = $1 and state <> 'closed' returning *`, [
      id,
      until,
      by,
    ]),
  )
}

/** Returns undefined if the conversation is not snoozed. */
export async function wakeConversation(sql: Sql, id: string): Promise<ConversationRow | undefined> {
  return first(
    await sql.query<ConversationRow>(
      `update support_conversations set snoozed_until = null, snoozed_by = null where id = $1 and snoozed_until is not null returning *`,
      [id],
    ),
  )
}

/** Returns undefined if it has that priority already. */
export async function setConversationPriority(sql: Sql, id: string, priority: Priority): Promise<ConversationRow | undefined> {
  return first(
    await sql.query<ConversationRow>('update support_conversations set priority = $2 where id = $1 and priority <> $2 returning *', [
      id,
      PRIORITIES.indexOf(priority),
    ]),
  )
}

/** Finds any conversation, for operators. */
export async function lockAny(sql: Sql, id: string): Promise<ConversationRow | undefined> {
  return first(await sql.query<ConversationRow>('select * from support_conversations where id = $1 for update', [id]))
}

/** Newest first; `before` is the last one of the previous page. For operators. */
export function listAll(sql: Sql, wish: { state: ConversationState | undefined; before: Date | undefined; limit: number }): Promise<HeadRow[]> {
  return sql.query<HeadRow>(
    `select ${HEAD} from support_conversations c ${LAST_MESSAGE_JOIN}
    where ($1::text is null or c.state = $1) and ($2::timestamptz is null or c.updated_at < $2) order by c.updated_at desc, c.id desc limit $3`,
    [wish.state ?? null, wish.before ?? null, wish.limit],
  )
}

export async function findAny(sql: Sql, id: string): Promise<HeadRow | undefined> {
  return first(await sql.query<HeadRow>(`select ${HEAD} from support_conversations c ${LAST_MESSAGE_JOIN} where c.id = $1`, [id]))
}

/** Marks messages as seen by operators, which the user's page shows. */
export async function markSeenByDesk(sql: Sql, id: string): Promise<void> {
  await sql.query(
    `with moved as (
      update support_conversations set operator_read_seq = last_seq, operator_mail_at = null, version = version + 1
      where id = $1 and operator_read_seq < last_seq returning id)
    select pg_notify('support', id) from moved`,
    [id],
  )
}

import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { PRIORITIES } from '../../contract-desk.console.ts'
import type { Priority } from '../../contract-desk.console.ts'
import type { ConversationState } from '../data.ts'
import type { SupportComplaintsRow } from '../tables.ts'

export interface SupportInboxRow {
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

export type ComplaintRow = SupportComplaintsRow

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

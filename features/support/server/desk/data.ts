import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { HEAD, LAST_MESSAGE_JOIN } from '../data.ts'
import type { ConversationRow, HeadRow, ConversationState } from '../data.ts'

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

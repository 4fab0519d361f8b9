import type { Sql } from '#platform/server/database/db.ts'
import type { Lang } from '#platform/shared/texts.ts'

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

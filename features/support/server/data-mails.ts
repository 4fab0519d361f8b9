import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { ConversationRow } from './data.ts'

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

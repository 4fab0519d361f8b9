import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { IdentityKind } from '../data.ts'

/** False when the user is frozen or closed already, or nobody. */
export async function freezeUser(sql: Sql, userId: string, frozen: { at: Date; reason: string; by: string }): Promise<boolean> {
  const rows = await sql.query(
    `update account_users set status = 'frozen', frozen_at = $2, frozen_reason = $3, frozen_by = $4 where id = $1 and status = 'active' returning 1`,
    [userId, frozen.at, frozen.reason, frozen.by],
  )
  return rows.length === 1
}

/** False when the user is not frozen. */
export async function thawUser(sql: Sql, userId: string): Promise<boolean> {
  const rows = await sql.query(
    `update account_users set status = 'active', frozen_at = null, frozen_reason = null, frozen_by = null where id = $1 and status = 'frozen' returning 1`,
    [userId],
  )
  return rows.length === 1
}

/** Ends all sessions of a user without a word to their holders: what there is to say is said when they sign in. Returns how many. */
export async function dropSessions(sql: Sql, userId: string): Promise<number> {
  return (await sql.query('delete from account_sessions where user_id = $1 returning 1', [userId])).length
}

/** Which of these users may not act: frozen or closed. */
export async function inactiveAmong(sql: Sql, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ id: string }>(`select id from account_users where id = any($1) and status <> 'active'`, [userIds], 'account.inactive-among')
  return new Set(rows.map((row) => row.id))
}

/** Whether the user may act, held so until the transaction ends: a freeze waits for it, or is seen. Users that are not ours may. */
export async function lockActive(sql: Sql, userId: string): Promise<boolean> {
  const row = first(await sql.query<{ status: string }>('select status from account_users where id = $1 for share', [userId]))
  return row === undefined || row.status === 'active'
}

/** The user of an id, or of a way to sign in. */
export async function userNamed(sql: Sql, named: { id: string } | { kind: IdentityKind; subject: string }): Promise<string | undefined> {
  if ('id' in named) return first(await sql.query<{ id: string }>('select id from account_users where id = $1', [named.id]))?.id
  return first(await sql.query<{ user_id: string }>('select user_id from account_identities where kind = $1 and subject = $2', [named.kind, named.subject]))
    ?.user_id
}

/** What a freeze changes of a user. */
export async function standingOf(sql: Sql, userId: string): Promise<{ status: string; sessions: number } | undefined> {
  return first(
    await sql.query<{ status: string; sessions: number }>(
      'select status, (select count(*)::int from account_sessions s where s.user_id = u.id) as sessions from account_users u where id = $1',
      [userId],
    ),
  )
}

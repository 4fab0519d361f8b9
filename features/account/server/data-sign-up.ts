import type { Sql } from '#platform/server/database/db.ts'

/** Internal data; never shown to users or operators. */
export interface SignUp {
  readonly id: string
  readonly createdAt: Date
  readonly isActive: boolean
  /** Normalized e-mail; mobile in E.164. */
  readonly email: string | null
  readonly mobile: string | null
  /** From the oldest session still stored. */
  readonly ip: string | null
  readonly userAgent: string | null
}

export async function selectSignUps(sql: Sql, userIds: readonly string[]): Promise<SignUp[]> {
  return sql.query<SignUp>(
    `select u.id, u.created_at as "createdAt", u.status = 'active' as "isActive", e.subject as email, m.subject as mobile, s.ip, s.user_agent as "userAgent"
    from account_users u
    left join account_identities e on e.user_id = u.id and e.kind = 'email'
    left join account_identities m on m.user_id = u.id and m.kind = 'mobile'
    left join lateral (select ip, user_agent from account_sessions where user_id = u.id order by created_at limit 1) s on true
    where u.id = any ($1) order by u.id`,
    [userIds],
  )
}

/** The invite code that a user registered with, as typed. */
export async function selectInviteCode(sql: Sql, userId: string): Promise<string | null> {
  return (await sql.query<{ inviteCode: string | null }>('select invite_code from account_users where id = $1', [userId]))[0]?.inviteCode ?? null
}

export async function selectContacts(sql: Sql, userIds: readonly string[]): Promise<{ id: string; email: string | null; mobile: string | null }[]> {
  return sql.query(
    `select u.id, e.display as email, m.subject as mobile from account_users u
    left join account_identities e on e.user_id = u.id and e.kind = 'email'
    left join account_identities m on m.user_id = u.id and m.kind = 'mobile'
    where u.id = any ($1) and (e.subject is not null or m.subject is not null)`,
    [userIds],
  )
}

/** Number of accounts that are not deleted. */
export async function countUsers(sql: Sql): Promise<number> {
  return (await sql.query<{ n: number }>(`select count(*)::int as n from account_users where status <> 'deleted'`))[0]!.n
}

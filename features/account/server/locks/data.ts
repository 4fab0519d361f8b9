import type { Sql } from '#platform/server/database/db.ts'
import type { CounterRow } from '#features/risk/server/door.ts'

export interface LockRow {
  readonly userId: string
  readonly kind: 'email' | 'mobile'
  readonly display: string
  readonly count: number
  readonly endsAt: Date
}

/** Maps counters to accounts by the hash under which each account is counted; counters without an account are left out. */
export function selectLockedAccounts(
  sql: Sql,
  counters: readonly CounterRow[],
  { after, most }: { readonly after: string | undefined; readonly most: number },
): Promise<LockRow[]> {
  return sql.query<LockRow>(
    `select distinct on (i.user_id) i.user_id, i.kind, i.display, c.count, c.ends_at
      from unnest($1::bytea[], $2::int[], $3::timestamptz[]) as c (subject, count, ends_at) join account_identities i on account_counted_as(i.subject) = c.subject
      where $4::text is null or i.user_id > $4 order by i.user_id, c.count desc limit $5`,
    [counters.map(({ subject }) => subject), counters.map(({ count }) => count), counters.map(({ endsAt }) => endsAt), after ?? null, most],
  )
}

/** The customer's e-mail and mobile, the keys of its counters. */
export async function selectUserSubjects(sql: Sql, userId: string): Promise<string[]> {
  const rows = await sql.query<{ subject: string }>(`select subject from account_identities where user_id = $1 and kind in ('email', 'mobile') order by kind`, [
    userId,
  ])
  return rows.map(({ subject }) => subject)
}

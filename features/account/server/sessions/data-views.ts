import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'

/** Returns false if the account does not exist or is closed. */
export async function insertView(
  sql: Sql,
  view: { id: string; hash: Buffer; userId: string; operatorId: string; reason: string; now: Date; endsAt: Date },
): Promise<boolean> {
  const rows = await sql.query(
    `insert into account_views (token_hash, id, user_id, operator_id, reason, created_at, expires_at)
      select $1, $2, u.id, $4, $5, $6, $7 from account_users u where u.id = $3 and u.status <> 'deleted' returning 1`,
    [view.hash, view.id, view.userId, view.operatorId, view.reason, view.now, view.endsAt],
  )
  return rows.length === 1
}

export async function findView(sql: Sql, hash: Buffer, now: Date): Promise<{ id: string; userId: string } | undefined> {
  return first(
    await sql.query<{ id: string; userId: string }>(
      `select v.id, v.user_id from account_views v join account_users u on u.id = v.user_id where v.token_hash = $1 and v.expires_at > $2 and u.status <> 'deleted'`,
      [hash, now],
    ),
  )
}

/** Ends all views of an operator who has lost the permission. */
export async function endViews(sql: Sql, operatorId: string): Promise<void> {
  await sql.query('delete from account_views where operator_id = $1', [operatorId])
}

export async function deleteOldViews(sql: Sql, before: Date): Promise<void> {
  await sql.query('delete from account_views where expires_at < $1', [before])
}

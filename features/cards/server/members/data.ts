import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Nano } from '#platform/shared/money.ts'

/** Members of now, by id, after one. */
export async function membersAfter(sql: Sql, after: string, now: Date, limit: number): Promise<string[]> {
  const rows = await sql.query<{ user_id: string }>('select user_id from cards_members where until > $2 and user_id > $1 order by user_id limit $3', [
    after,
    now,
    limit,
  ])
  return rows.map((row) => row.user_id)
}

/** What a day's free calls were worth so far; the row is locked until the transaction ends. */
export async function lockFreeDay(tx: Tx, userId: string, day: string): Promise<Nano> {
  await tx.query('insert into cards_free_days (user_id, day, given_nano) values ($1,$2,0) on conflict do nothing', [userId, day])
  const rows = await tx.query<{ given_nano: bigint }>('select given_nano from cards_free_days where user_id = $1 and day = $2 for update', [userId, day])
  return rows[0]!.given_nano
}

export async function keepFreeDay(tx: Tx, userId: string, day: string, given: Nano): Promise<void> {
  await tx.query('update cards_free_days set given_nano = $3, changed_at = now() where user_id = $1 and day = $2', [userId, day, given])
}

export async function freeDay(sql: Sql, userId: string, day: string): Promise<Nano> {
  return (
    first(await sql.query<{ given_nano: bigint }>('select given_nano from cards_free_days where user_id = $1 and day = $2', [userId, day]))?.given_nano ?? 0n
  )
}

import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'

/** Of any number at once, one gets it. */
export async function takeTrial(tx: Tx, userId: string, taskId: string): Promise<boolean> {
  return (await tx.query('insert into browser_trials (user_id, task_id) values ($1, $2) on conflict do nothing returning user_id', [userId, taskId])).length > 0
}

export async function returnTrial(tx: Tx, taskId: string): Promise<void> {
  await tx.query('delete from browser_trials where task_id = $1', [taskId])
}

export async function hadTrial(sql: Sql, userId: string): Promise<boolean> {
  return (await sql.query('select 1 from browser_trials where user_id = $1', [userId])).length > 0
}

/** The user's one token; the one before is void. */
export async function putToken(tx: Tx, userId: string, tokenHash: Buffer): Promise<void> {
  await tx.query(
    `insert into browser_tokens (user_id, token_hash) values ($1, $2)
    on conflict (user_id) do update set token_hash = excluded.token_hash, created_at = clock_timestamp(), used_at = null, sessions = 0`,
    [userId, tokenHash],
  )
}

/** Whose token it is, and the how many-eth session this is. */
export async function useToken(tx: Tx, tokenHash: Buffer): Promise<{ userId: string; session: bigint } | undefined> {
  const rows = await tx.query<{ user_id: string; sessions: bigint }>(
    'update browser_tokens set used_at = clock_timestamp(), sessions = sessions + 1 where token_hash = $1 returning user_id, sessions',
    [tokenHash],
  )
  const row = first(rows)
  return row && { userId: row.user_id, session: row.sessions }
}

export const tokenOf = async (sql: Sql, userId: string): Promise<{ created_at: Date; used_at: Date | null } | undefined> =>
  first(await sql.query<{ created_at: Date; used_at: Date | null }>('select created_at, used_at from browser_tokens where user_id = $1', [userId]))

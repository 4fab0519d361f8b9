import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'

/**
 * Takes a user's trial; of concurrent calls, one succeeds. After false the transaction must be rolled back. `person`: hashes that identify
 * the person.
 */
export async function takeTrial(tx: Tx, userId: string, { taskId, person }: { readonly taskId: string; readonly person: readonly string[] }): Promise<boolean> {
  const rows = await tx.query('insert into browser_trials (user_id, task_id) values ($1, $2) on conflict do nothing returning user_id', [userId, taskId])
  if (!rows.length) return false
  const noted = await tx.query(
    `insert into browser_trial_people (digest, user_id) select decode(digest, 'hex'), $2 from unnest($1::text[]) as one(digest) order by 1
    on conflict do nothing returning user_id`,
    [person, userId],
  )
  return noted.length === person.length
}

/** Counts all trials given since a time. Takes an advisory lock, so concurrent counts run one after another. */
export async function countBrowserTrialsSince(tx: Tx, since: Date): Promise<number> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('browser.trials', 0))`)
  return Number((await tx.query<{ n: bigint }>('select count(*) as n from browser_trials where created_at >= $1', [since]))[0]!.n)
}

export async function returnTrial(tx: Tx, taskId: string): Promise<void> {
  await tx.query('delete from browser_trials where task_id = $1', [taskId])
}

export async function hadTrial(sql: Sql, userId: string, person: readonly string[]): Promise<boolean> {
  const rows = await sql.query(
    `select 1 from browser_trials where user_id = $1
    union all select 1 from browser_trial_people where digest in (select decode(digest, 'hex') from unnest($2::text[]) as one(digest)) limit 1`,
    [userId, person],
  )
  return rows.length > 0
}

/** Stores the user's only token; the previous one becomes invalid. */
export async function upsertToken(tx: Tx, userId: string, tokenHash: Buffer): Promise<void> {
  await tx.query(
    `insert into browser_tokens (user_id, token_hash) values ($1, $2)
    on conflict (user_id) do update set token_hash = excluded.token_hash, created_at = clock_timestamp(), used_at = null, sessions = 0`,
    [userId, tokenHash],
  )
}

/** Deletes a user's token; true if there was one. */
export async function deleteToken(tx: Tx, userId: string): Promise<boolean> {
  return (await tx.query('delete from browser_tokens where user_id = $1 returning user_id', [userId])).length > 0
}

/** Records a use of a token and returns its user and the session's number. */
export async function recordTokenUse(tx: Tx, tokenHash: Buffer): Promise<{ userId: string; session: bigint } | undefined> {
  const rows = await tx.query<{ userId: string; sessions: bigint }>(
    'update browser_tokens set used_at = clock_timestamp(), sessions = sessions + 1 where token_hash = $1 returning user_id, sessions',
    [tokenHash],
  )
  const row = first(rows)
  return row && { userId: row.userId, session: row.sessions }
}

export const selectBrowserToken = async (sql: Sql, userId: string): Promise<{ createdAt: Date; usedAt: Date | null } | undefined> =>
  first(await sql.query<{ createdAt: Date; usedAt: Date | null }>('select created_at, used_at from browser_tokens where user_id = $1', [userId]))

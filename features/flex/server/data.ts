import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'

/**
 * Inserts a trial; false if the person already had one on the platform, and the transaction must be rolled back then. `person`: hashes
 * that identify the person.
 */
export async function insertFlexTrial(tx: Tx, trial: { userId: string; platform: number; taskId: string; person: readonly string[] }): Promise<boolean> {
  const { userId, platform, taskId, person } = trial
  const rows = await tx.query('insert into flex_trials (user_id, platform, task_id) values ($1,$2,$3) on conflict do nothing returning 1 as first', [
    userId,
    platform,
    taskId,
  ])
  if (!rows.length) return false
  const noted = await tx.query(
    `insert into flex_trial_people (digest, platform, user_id) select decode(digest, 'hex'), $2, $3 from unnest($1::text[]) as one(digest) order by 1
    on conflict do nothing returning platform`,
    [person, platform, userId],
  )
  return noted.length === person.length
}

/** Deletes a trial that never began, so it is not used up. */
export async function deleteFlexTrials(tx: Tx, userId: string, taskId: string): Promise<void> {
  await tx.query('delete from flex_trials where user_id = $1 and task_id = $2', [userId, taskId])
}

/** Platforms on which the person had a trial. */
export async function listFlexTrials(sql: Sql, userId: string, person: readonly string[]): Promise<number[]> {
  const rows = await sql.query<{ platform: number }>(
    `select platform from flex_trials where user_id = $1
    union select platform from flex_trial_people where digest in (select decode(digest, 'hex') from unnest($2::text[]) as one(digest))`,
    [userId, person],
  )
  return rows.map(({ platform }) => platform)
}

/** Serializes orders with a code until the transaction ends, so that each one sees what the person's other accounts just bought. */
export async function lockCodes(tx: Tx): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('flex.codes', 0))`)
}

/** Number of trials given since a time. Takes an advisory lock, so that concurrent callers count one after the other. */
export async function countFlexTrialsSince(tx: Tx, since: Date): Promise<number> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('flex.trials', 0))`)
  const [row] = await tx.query<{ n: bigint }>('select count(*) as n from flex_trials where at >= $1', [since])
  return Number(row!.n)
}

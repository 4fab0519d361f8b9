import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'

/** False: this person had a trial on the platform before. */
export async function takeTrial(tx: Tx, userId: string, platform: number, taskId: string): Promise<boolean> {
  const rows = await tx.query('insert into flex_trials (user_id, platform, task_id) values ($1,$2,$3) on conflict do nothing returning 1 as first', [
    userId,
    platform,
    taskId,
  ])
  return rows.length > 0
}

/** A trial that never began is not used up. */
export async function returnTrials(tx: Tx, userId: string, taskId: string): Promise<void> {
  await tx.query('delete from flex_trials where user_id = $1 and task_id = $2', [userId, taskId])
}

export async function trialsOf(sql: Sql, userId: string): Promise<number[]> {
  return (await sql.query<{ platform: number }>('select platform from flex_trials where user_id = $1', [userId])).map(({ platform }) => platform)
}

/** Trials given since a moment, in all. Who counts waits for who counts before. */
export async function trialsSince(tx: Tx, since: Date): Promise<number> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('flex.trials', 0))`)
  const [row] = await tx.query<{ n: bigint }>('select count(*) as n from flex_trials where at >= $1', [since])
  return Number(row!.n)
}

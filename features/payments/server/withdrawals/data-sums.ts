import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'

/** States in which only the sum refunded over channels has left. */
const LOST_STATES_SQL = `('failed','returned','rejected','cancelled')`

/** Serialises a user's requests and the daily sum of all users; both locks hold until the transaction ends. */
export async function lockWithdrawalRequests(tx: Tx, userId: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('payments.withdraw:' || $1, 0))`, [userId])
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('payments.withdraw.day', 0))`)
}

/** Sums requested since the start of the day and of the month in Shanghai, by one user and by all users. */
export async function sumWithdrawals(sql: Sql, userId: string): Promise<{ day: bigint; month: bigint; everybody: bigint }> {
  const rows = await sql.query<{ day: bigint; month: bigint; everybody: bigint }>(
    `with bounds as (select date_trunc('day', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai' as day,
      date_trunc('month', now() at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai' as month)
    select coalesce(sum(left_nano) filter (where user_id = $1 and source = 'balance' and created_at >= bounds.day), 0)::bigint as day,
      coalesce(sum(left_nano) filter (where user_id = $1 and source = 'balance'), 0)::bigint as month,
      coalesce(sum(left_nano) filter (where created_at >= bounds.day), 0)::bigint as everybody
    from (select user_id, source, created_at, case when state in ${LOST_STATES_SQL} then channel_nano else amount_nano end as left_nano from payments_withdrawals) w, bounds
    where created_at >= bounds.month`,
    [userId],
  )
  return rows[0]!
}

/** True while money paid by the user is not yet in the balance. */
export async function hasUncredited(sql: Sql, userId: string): Promise<boolean> {
  return (await sql.query(`select 1 as found from payments_orders where user_id = $1 and order_type = 10 and state = 'paid' limit 1`, [userId])).length > 0
}

/** True if a withdrawal of rewards succeeded or is in progress in this Shanghai month; a unique index enforces one. */
export async function hasRewardThisMonth(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from payments_withdrawals where user_id = $1 and source = 'reward' and state not in ${LOST_STATES_SQL}
      and date_trunc('month', created_at at time zone 'Asia/Shanghai') = date_trunc('month', now() at time zone 'Asia/Shanghai')`,
    [userId],
  )
  return rows.length > 0
}

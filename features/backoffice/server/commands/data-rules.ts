import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { Rule } from '../../words.ts'

export async function newestRules(sql: Sql): Promise<{ version: number; rules: unknown; at: Date } | undefined> {
  return first(await sql.query<{ version: number; rules: unknown; at: Date }>('select version, rules, at from backoffice_rules order by version desc limit 1'))
}

/** One writer at a time: the next version is the one after what the writer has seen. */
export async function insertRules(sql: Sql, operatorId: string, rules: readonly Rule[]): Promise<number> {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('backoffice.rules', 0))`)
  const rows = await sql.query<{ version: number }>('insert into backoffice_rules (operator_id, rules) values ($1,$2) returning version', [
    operatorId,
    JSON.stringify(rules),
  ])
  return rows[0]!.version
}

/** What the operator has moved by some commands since midnight in Shanghai, what waits for approval included. */
export async function movedToday(sql: Sql, operatorId: string, names: readonly string[], now: Date): Promise<Nano> {
  const rows = await sql.query<{ sum: bigint }>(
    `select coalesce(sum(amount_nano), 0)::bigint as sum from backoffice_commands where asked_by = $1 and name = any($2) and state in ('waiting','approved','done')
      and asked_at >= date_trunc('day', $3::timestamptz at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai'`,
    [operatorId, names, now],
  )
  return rows[0]!.sum
}

/** Whether money of the user's has ever arrived outside by a withdrawal. */
export async function hasWithdrawn(sql: Sql, userId: string): Promise<boolean> {
  return (await sql.query(`select 1 from payments_withdrawals where user_id = $1 and state = 'paid' limit 1`, [userId])).length > 0
}

/** Of a user that is gone: none, as of one that was made today. */
export async function accountAgeDays(sql: Sql, userId: string, now: Date): Promise<number> {
  const row = first(
    await sql.query<{ days: number }>('select (extract(epoch from $2::timestamptz - created_at) / 86400)::float8 as days from account_users where id = $1', [
      userId,
      now,
    ]),
  )
  return row?.days ?? 0
}

import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'
import type { ApprovalRule } from '../../words.ts'

export async function findNewestRules(sql: Sql): Promise<{ version: number; rules: unknown; at: Date } | undefined> {
  return first(await sql.query<{ version: number; rules: unknown; at: Date }>('select version, rules, at from backoffice_rules order by version desc limit 1'))
}

/** Locks out other writers, so the next version follows the one that this writer read. */
export async function insertRules(sql: Sql, operatorId: string, rules: readonly ApprovalRule[]): Promise<number> {
  await sql.query(`select pg_advisory_xact_lock(hashtextextended('backoffice.rules', 0))`)
  const rows = await sql.query<{ version: number }>('insert into backoffice_rules (operator_id, rules) values ($1,$2) returning version', [
    operatorId,
    JSON.stringify(rules),
  ])
  return rows[0]!.version
}

/** Amount that the operator moved with these commands since midnight in Shanghai, including those waiting for approval. */
export async function sumMovedToday(sql: Sql, operatorId: string, { names, now }: { readonly names: readonly string[]; readonly now: Date }): Promise<Nano> {
  const rows = await sql.query<{ sum: bigint }>(
    `select coalesce(sum(amount_nano), 0)::bigint as sum from backoffice_commands where asked_by = $1 and name = any($2) and state in ('waiting','approved','done')
      and asked_at >= date_trunc('day', $3::timestamptz at time zone 'Asia/Shanghai') at time zone 'Asia/Shanghai'`,
    [operatorId, names, now],
  )
  return rows[0]!.sum
}

/** Checks if a withdrawal of the user was ever paid out. */
export async function hasWithdrawn(sql: Sql, userId: string): Promise<boolean> {
  return (await sql.query(`select 1 from payments_withdrawals where user_id = $1 and state = 'paid' limit 1`, [userId])).length > 0
}

/** Age of the account in days; 0 for a deleted user, as for a new one. */
export async function readAccountAgeDays(sql: Sql, userId: string, now: Date): Promise<number> {
  const row = first(
    await sql.query<{ days: number }>('select (extract(epoch from $2::timestamptz - created_at) / 86400)::float8 as days from account_users where id = $1', [
      userId,
      now,
    ]),
  )
  return row?.days ?? 0
}

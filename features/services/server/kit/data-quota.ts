import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'

export async function selectQuotaUsed(sql: Sql, userId: string, { service, period }: { readonly service: string; readonly period: string }): Promise<number> {
  const [row] = await sql.query<{ used: number }>('select used from services_quota where user_id = $1 and service = $2 and period = $3', [
    userId,
    service,
    period,
  ])
  return row?.used ?? 0
}

/** Takes one free use. Returns false if all are taken. */
export async function takeQuotaUse(
  tx: Tx,
  userId: string,
  { service, period, allowed }: { readonly service: string; readonly period: string; readonly allowed: number },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into services_quota as q (user_id, service, period, used) values ($1,$2,$3,1)
      on conflict (user_id, service, period) do update set used = q.used + 1 where q.used < $4 returning 1 as taken`,
    [userId, service, period, allowed],
  )
  return rows.length > 0
}

export async function returnQuotaUse(tx: Tx, userId: string, { service, period }: { readonly service: string; readonly period: string }): Promise<void> {
  await tx.query('update services_quota set used = used - 1 where user_id = $1 and service = $2 and period = $3', [userId, service, period])
}

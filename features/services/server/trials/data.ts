import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'

/** Serializes trial admissions until the transaction ends. */
export async function lockTrials(tx: Tx): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('services.trials', 0))`)
}

/** True if one of the users has or had this product for free; failed tasks and drafts do not count. */
export async function hasTriedAmong(
  sql: Sql,
  userIds: readonly string[],
  { service, product }: { readonly service: string; readonly product: string },
): Promise<boolean> {
  const rows = await sql.query(
    `select 1 from services_tasks where user_id = any($1) and service = $2 and product = $3 and amount = 0 and phase not in ('draft', 'failed') limit 1`,
    [userIds, service, product],
  )
  return rows.length > 0
}

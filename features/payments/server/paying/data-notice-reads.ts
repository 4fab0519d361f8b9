import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'

/** False if it was read before. */
export async function insertNoticeRead(tx: Tx, orderId: bigint): Promise<boolean> {
  return (await tx.query('insert into payments_notice_reads (order_id) values ($1) on conflict do nothing returning 1 as done', [orderId])).length > 0
}

export async function isNoticeRead(sql: Sql, orderId: bigint): Promise<boolean> {
  return (await sql.query('select 1 as done from payments_notice_reads where order_id = $1', [orderId])).length > 0
}

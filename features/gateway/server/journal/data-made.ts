import { hash } from 'node:crypto'
import type { Sql } from '#platform/server/database/db.ts'

/** Stored form of a vendor's id: half of its SHA-256, in the form of a uuid. */
export const hashVendorId = (id: string): string => hash('sha256', id).slice(0, 32)

/** Returns the ids that vendors created for the account. */
export async function selectKnownVendorIds(sql: Sql, accountId: bigint, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const byKey = new Map(ids.map((id) => [hashVendorId(id), id]))
  const rows = await sql.query<{ key: string }>(
    `select distinct replace(id::text, '-', '') as key from gateway_made_ids where id = any($1::uuid[]) and account_id = $2`,
    [[...byKey.keys()], accountId],
  )
  return new Set(rows.map(({ key }) => byKey.get(key)!))
}

/** Vendors keep responses for thirty days. */
export const deleteOldVendorIds = (sql: Sql) => sql.query(`delete from gateway_made_ids where made_at < now() - interval '31 days'`)

import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'

export async function askDatabase(sql: Sql): Promise<boolean> {
  return sql.query('select 1').then(
    () => true,
    () => false,
  )
}

/** Idempotency keys live 30 days, delivered news 7 (money.md, K7: external references are never reused). */
export async function deleteOldRows(tx: Tx): Promise<void> {
  await tx.query(`delete from idempotency_keys where created_at < now() - interval '30 days'`)
  await tx.query(`delete from outbox where delivered_at < now() - interval '7 days'`)
}

export async function readDemoKey(sql: Sql): Promise<string | undefined> {
  const [row] = await sql.query<{ value: { apiKey: string } }>(`select value from settings where key = 'demo.seed'`)
  return row?.value.apiKey
}

export async function insertDemoKey(tx: Tx, apiKey: string): Promise<void> {
  await tx.query(`insert into settings (key, value, updated_by) values ('demo.seed', $1, 'system')`, [JSON.stringify({ apiKey })])
}

import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'

/**
 * Retention: idempotency keys 30 days, delivered events 7 (money.md K7: external references are never reused), the heartbeat of a killed
 * process a day.
 */
export async function deleteOldRows(tx: Tx): Promise<void> {
  await tx.query(`delete from idempotency_keys where created_at < now() - interval '30 days'`)
  await tx.query(`delete from outbox where delivered_at < now() - interval '7 days'`)
  await tx.query(`delete from process_beats where beat_at < now() - interval '1 day'`)
}

export async function readDemoKey(sql: Sql): Promise<string | undefined> {
  const [row] = await sql.query<{ value: { apiKey: string } }>(`select value from settings where key = 'demo.seed'`)
  return row?.value.apiKey
}

export async function insertDemoKey(tx: Tx, apiKey: string): Promise<void> {
  await tx.query(`insert into settings (key, value, updated_by) values ('demo.seed', $1, 'system')`, [JSON.stringify({ apiKey })])
}

export async function selectOperatorIdByMail(sql: Sql, mail: string): Promise<string | undefined> {
  return (await sql.query<{ id: string }>('select id from backoffice_operators where mail = $1', [mail]))[0]?.id
}

/** Inserts the demo's complaints, backdated by `ago`. */
export async function insertComplaints(
  tx: Tx,
  rows: readonly { id: string; userId: string | null; email: string; content: string; ago: string }[],
): Promise<void> {
  for (const { id, userId, email, content, ago } of rows)
    await tx.query(
      `insert into support_complaints (id, user_id, email, content, lang, state, created_at) values ($1,$2,$3,$4,$6,'open', now() - $5::interval) on conflict do nothing`,
      [id, userId, email, content, ago, DEFAULT_LANG],
    )
}

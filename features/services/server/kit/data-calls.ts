import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { ServicesCallsRow } from '../tables.ts'

export interface SupplierCall extends Omit<ServicesCallsRow, 'answer' | 'meantAt' | 'answeredAt'> {
  readonly answer: Readonly<Record<string, unknown>> | null
}

/** Records the intent of a call, once per key, and counts the attempt. Returns undefined if the task has ended. */
export async function recordCallIntent(
  tx: Tx,
  call: { key: string; taskId: string; supplier: string; verb: string; leaves: boolean },
): Promise<SupplierCall | undefined> {
  await tx.query(
    `insert into services_calls (key, task_id, supplier, verb) select $1, id, $3, $4 from services_tasks where id = $2 and phase not in ('done','failed')
      on conflict (key) do nothing`,
    [call.key, call.taskId, call.supplier, call.verb],
  )
  if (call.leaves) await tx.query(`update services_tasks set at_supplier = true, supplier = $2 where id = $1`, [call.taskId, call.supplier])
  return first(await tx.query<SupplierCall>('update services_calls set tries = tries + 1 where key = $1 returning *', [call.key]))
}

/** Marks that the supplier holds, or may hold, something of the task that must be given back after its end. */
export async function markAtSupplier(tx: Tx, taskId: string): Promise<void> {
  await tx.query('update services_tasks set at_supplier = true where id = $1', [taskId])
}

export async function recordCallAnswer(sql: Sql, key: string, answer: Readonly<Record<string, unknown>>): Promise<void> {
  await sql.query(`update services_calls set state = 'answered', answer = $2, answered_at = clock_timestamp() where key = $1 and state = 'meant'`, [
    key,
    JSON.stringify(answer),
  ])
}

export async function recordCallRefusal(sql: Sql, key: string, refused: string): Promise<void> {
  await sql.query(`update services_calls set state = 'refused', refused = $2, answered_at = clock_timestamp() where key = $1 and state = 'meant'`, [
    key,
    refused.slice(0, 300),
  ])
}

/** Resets the attempts after a first one that certainly created nothing, so the next one needs no lookup. */
export async function resetCallAttempts(sql: Sql, key: string): Promise<void> {
  await sql.query(`update services_calls set tries = 0 where key = $1 and state = 'meant' and tries = 1`, [key])
}

export async function selectSupplierCalls(sql: Sql, taskId: string): Promise<SupplierCall[]> {
  return sql.query<SupplierCall>('select * from services_calls where task_id = $1 order by meant_at, key', [taskId])
}

import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'

/** Who may have taken the message in an attempt whose end nobody knows; null when nobody. */
export async function maybeTakenBy(sql: Sql, id: string): Promise<string | null> {
  return first(await sql.query<{ maybe_taken_by: string | null }>('select maybe_taken_by from notices_sms where id = $1', [id]))?.maybe_taken_by ?? null
}

/** Written before the vendor is called, so that a killed run leaves a trace to ask about. */
export async function markTrying(sql: Sql, id: string, vendor: string): Promise<void> {
  await sql.query(`update notices_sms set maybe_taken_by = $2 where id = $1 and state = 'waiting'`, [id, vendor])
}

/** The vendor said no: nobody has it, and the next attempt may begin at once. */
export async function clearTrying(sql: Sql, id: string): Promise<void> {
  await sql.query(`update notices_sms set maybe_taken_by = null where id = $1 and state = 'waiting'`, [id])
}

/** Nobody knows whether the vendor has it: the lease stays until the vendor can be asked. */
export async function holdSms(sql: Sql, id: string, until: Date, problem: string): Promise<void> {
  await sql.query(`update notices_sms set claimed_until = $2, problem = $3 where id = $1 and state = 'waiting'`, [id, until, problem])
}

/** One more message in the hour of `now`; undefined when `limit` is reached, which parallel orders cannot pass. */
export async function countInHour(sql: Sql, now: Date, limit: number): Promise<number | undefined> {
  const rows = await sql.query<{ count: number }>(
    `insert into notices_sms_hours as h (hour, count) values (date_trunc('hour', $1::timestamptz), 1)
    on conflict (hour) do update set count = h.count + 1 where h.count < $2 returning count`,
    [now, limit],
  )
  return first(rows)?.count
}

export async function deleteHours(sql: Sql, before: Date): Promise<void> {
  await sql.query('delete from notices_sms_hours where hour < $1', [before])
}

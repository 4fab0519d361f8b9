import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'

/** Carrier of an attempt whose result is unknown; null if there is none. */
export async function selectUncertainCarrier(sql: Sql, id: string): Promise<string | null> {
  return first(await sql.query<{ maybeTakenBy: string | null }>('select maybe_taken_by from notices_sms where id = $1', [id]))?.maybeTakenBy ?? null
}

/** Records the carrier before the call, so that an attempt of a killed process can be looked up. */
export async function markAttempt(sql: Sql, id: string, vendor: string): Promise<void> {
  await sql.query(`update notices_sms set maybe_taken_by = $2 where id = $1 and state = 'waiting'`, [id, vendor])
}

/** Clears the carrier after a refusal, so that the next attempt may begin at once. */
export async function clearAttempt(sql: Sql, id: string): Promise<void> {
  await sql.query(`update notices_sms set maybe_taken_by = null where id = $1 and state = 'waiting'`, [id])
}

/** Extends the lease of an attempt with an unknown result, until its carrier can be asked. */
export async function holdSms(sql: Sql, id: string, { until, problem }: { readonly until: Date; readonly problem: string }): Promise<void> {
  await sql.query(`update notices_sms set claimed_until = $2, problem = $3 where id = $1 and state = 'waiting'`, [id, until, problem])
}

/** Counts one more message in the hour of `now`; undefined if `limit` is reached, also with concurrent orders. */
export async function countSmsInHour(sql: Sql, now: Date, limit: number): Promise<number | undefined> {
  const rows = await sql.query<{ count: number }>(
    `insert into notices_sms_hours as h (hour, count) values (date_trunc('hour', $1::timestamptz), 1)
    on conflict (hour) do update set count = h.count + 1 where h.count < $2 returning count`,
    [now, limit],
  )
  return first(rows)?.count
}

export async function deleteSmsHours(sql: Sql, before: Date): Promise<void> {
  await sql.query('delete from notices_sms_hours where hour < $1', [before])
}

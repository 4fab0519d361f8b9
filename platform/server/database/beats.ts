import type { Sql } from './db.ts'
import { first } from './db.ts'

/** Heartbeat of the alarm check, which only workers run. */
export const ALARM_CHECK_BEAT = 'alarms'

interface Beat {
  /** Milliseconds since a worker last checked alarms, by the database's clock; undefined before the first check. */
  readonly lookAgeMs: number | undefined
}

/** Writes a heartbeat under this name and returns the age of the last alarm check. */
export async function writeBeat(sql: Sql, name: string, roles: readonly string[] = []): Promise<Beat> {
  const row = first(
    await sql.query<{ age: number | null }>(
      `with beat as (insert into process_beats (name, roles) values ($1, $2) on conflict (name) do update set beat_at = now(), roles = excluded.roles)
       select (extract(epoch from now() - beat_at) * 1000)::float8 as age from process_beats where name = $3`,
      [name, roles, ALARM_CHECK_BEAT],
      'process_beat',
    ),
  )
  return { lookAgeMs: row?.age ?? undefined }
}

export const endBeat = (sql: Sql, name: string) => sql.query('delete from process_beats where name = $1', [name])

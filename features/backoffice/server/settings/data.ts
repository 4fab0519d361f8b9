import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'

/** Reads and locks a stored value, so that the value read is the one overwritten. */
export async function lockStoredValue(sql: Sql, key: string): Promise<unknown> {
  return first(await sql.query<{ value: unknown }>('select value from settings where key = $1 for update', [key]))?.value
}

export interface SettingVersion {
  readonly id: bigint
  readonly value: unknown
  readonly at: Date
  readonly by: string
}

/** Versions, newest first. */
export async function listSettingVersions(sql: Sql, key: string): Promise<SettingVersion[]> {
  return sql.query<SettingVersion>('select id, value, at, by from settings_history where key = $1 order by id desc limit 100', [key])
}

export async function findVersionValue(sql: Sql, key: string, id: bigint): Promise<{ value: unknown } | undefined> {
  return first(await sql.query<{ value: unknown }>('select value from settings_history where key = $1 and id = $2', [key, id]))
}

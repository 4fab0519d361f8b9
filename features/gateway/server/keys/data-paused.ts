import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'

export interface PausableKey {
  readonly userId: string
  readonly name: string
  readonly last4: string
  readonly paused: boolean
}
/** Finds a key that is not deleted, of any user. */
export const selectPausableKey = async (sql: Sql, keyId: string) =>
  first(
    await sql.query<PausableKey>('select user_id, name, last4, paused_at is not null as paused from gateway_keys where key_id = $1 and deleted_at is null', [
      keyId,
    ]),
  )

/** Pauses a key. Returns false if it is paused already, or deleted. */
export async function pauseKey(sql: Sql, keyId: string, paused: { at: Date; reason: string; by: string }): Promise<boolean> {
  const rows = await sql.query(
    `update gateway_keys set paused_at = $2, paused_reason = $3, paused_by = $4 where key_id = $1 and paused_at is null and deleted_at is null
     returning 1 as one`,
    [keyId, paused.at, paused.reason, paused.by],
  )
  return rows.length === 1
}

/** Resumes a key. Returns false if it is not paused. */
export async function resumeKey(sql: Sql, keyId: string): Promise<boolean> {
  const rows = await sql.query(
    'update gateway_keys set paused_at = null, paused_reason = null, paused_by = null where key_id = $1 and paused_at is not null returning 1 as one',
    [keyId],
  )
  return rows.length === 1
}

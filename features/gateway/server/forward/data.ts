import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { GatewayKeysRow } from '../tables.ts'

export type ForwardKey = Pick<GatewayKeysRow, 'keyId' | 'name' | 'last4' | 'createdAt' | 'lastUsedAt' | 'disabledAt' | 'pausedAt'>

/** The member's key for forwarding, unless it was deleted. */
export async function selectForwardKey(sql: Sql, userId: string): Promise<ForwardKey | undefined> {
  return first(
    await sql.query<ForwardKey>(
      `select k.key_id, k.name, k.last4, k.created_at, k.last_used_at, k.disabled_at, k.paused_at from gateway_forwards f join gateway_keys k using (key_id)
        where f.user_id = $1 and k.deleted_at is null`,
      [userId],
    ),
  )
}

/** Records the member's key for forwarding; an existing live key is kept. */
export async function setForwardKey(tx: Tx, userId: string, keyId: string): Promise<void> {
  await tx.query(
    `insert into gateway_forwards as f (user_id, key_id) values ($1, $2) on conflict (user_id) do update set key_id = $2, made_at = clock_timestamp()
      where exists (select from gateway_keys k where k.key_id = f.key_id and k.deleted_at is not null)`,
    [userId, keyId],
  )
}

export async function isKeyOfRequest(sql: Sql, keyId: string, requestHash: Buffer): Promise<boolean> {
  return (await sql.query('select 1 as one from gateway_keys where key_id = $1 and request_hash = $2', [keyId, requestHash])).length > 0
}

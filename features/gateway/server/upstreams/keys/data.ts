import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { GatewayUpstreamKeysRow } from '../../tables.ts'

export type UpstreamKeyRow = Pick<GatewayUpstreamKeysRow, 'keyId' | 'upstreamId' | 'last4' | 'addedBy' | 'addedAt'>
const SHOWN_COLUMNS = 'key_id, upstream_id, last4, added_by, added_at'

export const selectUpstreamKeys = (sql: Sql) => sql.query<UpstreamKeyRow>(`select ${SHOWN_COLUMNS} from gateway_upstream_keys where retired_at is null`)

export const selectUpstreamKey = async (sql: Sql, upstreamId: string) =>
  first(await sql.query<UpstreamKeyRow>(`select ${SHOWN_COLUMNS} from gateway_upstream_keys where upstream_id = $1 and retired_at is null`, [upstreamId]))

export async function insertUpstreamKey(sql: Sql, row: UpstreamKeyRow & { readonly sealed: Buffer }): Promise<void> {
  await sql.query('insert into gateway_upstream_keys (key_id, upstream_id, sealed, last4, added_by, added_at) values ($1,$2,$3,$4,$5,$6)', [
    ...[row.keyId, row.upstreamId, row.sealed, row.last4, row.addedBy, row.addedAt],
  ])
}

/** Retires the key for good by deleting its sealed value. Undefined if the upstream has none. The upstream must be locked. */
export const retireUpstreamKey = async (sql: Sql, upstreamId: string, { by, at }: { readonly by: string; readonly at: Date }) =>
  first(
    await sql.query<UpstreamKeyRow>(
      `update gateway_upstream_keys set sealed = null, retired_by = $2, retired_at = $3 where upstream_id = $1 and retired_at is null returning ${SHOWN_COLUMNS}`,
      [upstreamId, by, at],
    ),
  )

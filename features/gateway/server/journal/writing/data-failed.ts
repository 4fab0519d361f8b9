import type { Sql } from '#platform/server/database/db.ts'
import type { GatewayFailedTriesRow } from '../../tables.ts'

export type FailedTryRow = Pick<GatewayFailedTriesRow, 'status' | 'cause' | 'fromMs' | 'ms'>

/** Upstreams that failed to answer a call before another did, in order. */
export async function selectFailedTries(sql: Sql, accountId: bigint, callId: string): Promise<FailedTryRow[]> {
  return sql.query<FailedTryRow>('select status, cause, from_ms, ms from gateway_failed_tries where call_id = $1 and account_id = $2 order by no', [
    callId,
    accountId,
  ])
}

/** They explain a call and are kept as long as refused calls. */
export const deleteOldFailedTries = (sql: Sql) => sql.query(`delete from gateway_failed_tries where at < now() - interval '31 days'`)

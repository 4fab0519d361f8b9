import type { Sql } from '#platform/server/database/db.ts'
import type { GatewayUsageRow } from '../tables.ts'

/** Selects calls by attributes that they share. */
export interface AffectedFilter {
  readonly from: Date
  readonly to: Date
  readonly model?: string | undefined
  readonly upstream?: string | undefined
  readonly outcome?: string | undefined
  readonly status?: number | undefined
}
export type AffectedCall = Pick<GatewayUsageRow, 'callId' | 'userId' | 'amount'>

/** Charged calls that began in a period, oldest first, at most `limit`. */
export function selectAffectedCalls(sql: Sql, { from, to, model, upstream, outcome, status }: AffectedFilter, limit: number): Promise<AffectedCall[]> {
  return sql.query<AffectedCall>(
    `select call_id, user_id, amount from gateway_usage where started_at >= $1 and started_at < $2 and amount > 0
      and ($3::text is null or model = $3) and ($4::text is null or upstream = $4) and ($6::int is null or status = $6)
      and case when $5::text is null then true when $5 = 'not_completed' then outcome <> 'completed' else outcome = $5 end
      order by started_at, call_id limit $7`,
    [from, to, model ?? null, upstream ?? null, outcome ?? null, status ?? null, limit],
  )
}

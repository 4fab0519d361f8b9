import type { Sql } from '#platform/server/database/db.ts'
import type { BookDay } from '../books/data.ts'

/** Queries of the operators' pages about upstreams and books. */

export interface HourRow {
  readonly upstream: string
  readonly model: string
  readonly calls: number
  readonly failed: number
  readonly firstByteMs: number
}
/** Counts calls since a time by upstream and model. A call whose client disconnected is not the upstream's failure. */
export function selectCallsSince(sql: Sql, since: Date): Promise<HourRow[]> {
  return sql.query<HourRow>(
    `select upstream, model, count(*)::int as calls, count(*) filter (where outcome in ('upstream_failed', 'upstream_cut'))::int as failed,
       coalesce(percentile_disc(0.5) within group (order by first_byte_ms) filter (where outcome = 'completed'), 0)::int as first_byte_ms
     from gateway_usage where started_at >= $1 group by 1, 2 order by 1, 3 desc, 2`,
    [since],
  )
}

export interface ListedBookDay extends BookDay {
  readonly comparedAt: Date
}
export function selectBookDays(sql: Sql, before: string | null, limit: number): Promise<ListedBookDay[]> {
  return sql.query<ListedBookDay>(
    `select day::text, charged, posted, received, paid_back, sums, captured, unread, alarms, compared_at from gateway_book_days
      where ($1::date is null or day < $1) order by day desc limit $2`,
    [before, limit],
  )
}

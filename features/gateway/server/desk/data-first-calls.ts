import type { Sql } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'

export interface FirstCalls {
  readonly userId: string
  readonly calls: number
  /** Total cost of these calls. */
  readonly amount: Nano
}

/** First `most` calls of each user on a Shanghai day, by start time. */
export function selectFirstCalls(sql: Sql, userIds: readonly string[], { day, most }: { day: string; most: number }): Promise<FirstCalls[]> {
  return sql.query<FirstCalls>(
    `with used as (select distinct k.user_id, k.account_id from gateway_keys k
        where k.user_id = any($1) and exists (select from gateway_usage_days d where d.key_id = k.key_id and d.day = $2::date))
    select used.user_id, s.calls, s.amount from used cross join lateral (
      select count(*)::int as calls, coalesce(sum(amount), 0)::bigint as amount from (
        select amount from gateway_usage u where u.account_id = used.account_id and u.started_at >= $2::date::timestamp at time zone 'Asia/Shanghai'
          and u.started_at < ($2::date + 1)::timestamp at time zone 'Asia/Shanghai' order by u.started_at, u.call_id limit $3) first) s`,
    [userIds, day, most],
    'gateway.first-calls',
  )
}

import type { Sql } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'

export function listGatewayNodes(sql: Sql): Promise<{ node: string; beatAt: Date; open: number; alive: boolean }[]> {
  return sql.query(
    `select n.node, n.beat_at, (select count(*)::int from gateway_calls c where c.node = n.node) as open, n.beat_at > now() - interval '1 minute' as alive
      from gateway_nodes n order by n.node`,
  )
}

export async function findNewestMigration(sql: Sql): Promise<{ n: number; name: string; at: Date }> {
  const rows = await sql.query<{ n: number; name: string; at: Date }>(
    'select (select count(*)::int from migrations) as n, name, applied_at as at from migrations order by name desc limit 1',
  )
  return rows[0]!
}

export interface QueueRow {
  readonly name: string
  readonly waiting: number
  readonly active: number
  readonly retrying: number
  readonly failed: number
  readonly oldest: Date | null
}
/** Queues with waiting, running or failed jobs; jobs scheduled for later do not count. */
export async function listJobQueues(sql: Sql): Promise<QueueRow[]> {
  // The first worker creates the table
  const [known] = await sql.query<{ there: boolean }>(`select to_regclass('jobs.job') is not null as there`)
  if (!known!.there) return []
  return sql.query<QueueRow>(
    `select name, count(*) filter (where state = 'created' and start_after <= now())::int as waiting, count(*) filter (where state = 'active')::int as active,
      count(*) filter (where state = 'retry')::int as retrying, count(*) filter (where state = 'failed')::int as failed,
      min(created_on) filter (where state in ('created', 'retry') and start_after <= now()) as oldest
    from jobs.job where state in ('created', 'active', 'retry', 'failed') group by name
    having count(*) filter (where state <> 'created' or start_after <= now()) > 0 order by 5 desc, 2 desc, 1`,
  )
}

export interface FigureRow {
  readonly day: string
  readonly received: Nano
  readonly paidBack: Nano
  readonly charged: Nano
  readonly costs: Nano
  readonly customers: number
  readonly calls: bigint
  readonly failed: bigint
  readonly signUps: number
}
/** Daily figures up to yesterday, oldest first: money from the compared books, the rest from daily sums. */
export function listFigureDays(sql: Sql, from: string, to: string): Promise<FigureRow[]> {
  return sql.query<FigureRow>(
    `select d::date::text as day, coalesce(b.received, 0)::bigint as received, coalesce(b.paid_back, 0)::bigint as paid_back, coalesce(b.charged, 0)::bigint as charged,
      coalesce(c.costs, 0)::bigint as costs, coalesce(u.customers, 0)::int as customers, coalesce(u.calls, 0)::bigint as calls, coalesce(u.failed, 0)::bigint as failed,
      coalesce(s.n, 0)::int as sign_ups
    from generate_series($1::date, $2::date, interval '1 day') d
    left join gateway_book_days b on b.day = d::date
    left join (select day, sum(their_cost) as costs from gateway_books where day between $1 and $2 group by day) c on c.day = d::date
    left join (select day, count(distinct account_id) as customers, sum(calls) as calls, sum(failed) as failed from gateway_usage_days where day between $1 and $2 group by day) u on u.day = d::date
    left join (select (created_at at time zone 'Asia/Shanghai')::date as day, count(*) as n from account_users
      where created_at >= ($1::date)::timestamp at time zone 'Asia/Shanghai' and created_at < ($2::date + 1)::timestamp at time zone 'Asia/Shanghai' group by 1) s on s.day = d::date
    order by d`,
    [from, to],
  )
}

/** Funnel of the users who signed up in these days: how many have paid, and how many have called, since. */
export async function readFunnel(sql: Sql, from: string, to: string): Promise<{ signedUp: number; paid: number; called: number }> {
  const rows = await sql.query<{ signedUp: number; paid: number; called: number }>(
    `with fresh as (select id from account_users where created_at >= ($1::date)::timestamp at time zone 'Asia/Shanghai' and created_at < ($2::date + 1)::timestamp at time zone 'Asia/Shanghai')
    select count(*)::int as signed_up,
      count(*) filter (where exists (select from payments_orders o where o.user_id = f.id and o.paid_at is not null))::int as paid,
      count(*) filter (where exists (select from gateway_keys k where k.user_id = f.id and k.last_used_at is not null))::int as called
    from fresh f`,
    [from, to],
  )
  return rows[0]!
}

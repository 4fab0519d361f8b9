import type { Sql } from '#platform/server/database/db.ts'

interface MeasurementRow {
  readonly count: number
  readonly delivered: number
  /** Seconds. */
  readonly half: number | null
  readonly most: number | null
}

/** Measures recent tasks of a service. Tasks that their users gave up are excluded. */
export async function selectMeasurement(sql: Sql, service: string, days: number): Promise<MeasurementRow> {
  const [row] = await sql.query<MeasurementRow>(
    `select count(*)::int as count, count(delivered_at)::int as delivered,
      percentile_cont(0.5) within group (order by extract(epoch from delivered_at - started_at)) as half,
      percentile_cont(0.9) within group (order by extract(epoch from delivered_at - started_at)) as most
    from services_tasks where service = $1 and phase in ('using','done','failed') and started_at > now() - make_interval(days => $2)
      and cause not in ('not_paid','given_up')`,
    [service, days],
  )
  return row!
}

/** Number of tasks ahead of this one in a queue. */
export async function countTasksAhead(
  sql: Sql,
  service: string,
  { states, startedAt, id }: { readonly states: readonly string[]; readonly startedAt: Date; readonly id: string },
): Promise<number> {
  const [row] = await sql.query<{ n: bigint }>(
    `select count(*) as n from services_tasks where service = $1 and state = any($2) and phase = 'waiting' and (started_at, id) < ($3, $4)`,
    [service, states, startedAt, id],
  )
  return Number(row!.n)
}

/** Ids of the first tasks in a queue, oldest first; with `before`, only those ahead of that task. */
export async function selectFirstInQueue(
  sql: Sql,
  queue: {
    readonly service: string
    readonly states: readonly string[]
    readonly limit: number
    readonly before?: { readonly startedAt: Date; readonly id: string }
  },
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select id from services_tasks where service = $1 and state = any($2) and phase = 'waiting' and ($3::timestamptz is null or (started_at, id) < ($3, $4))
      order by started_at, id limit $5`,
    [queue.service, queue.states, queue.before?.startedAt ?? null, queue.before?.id ?? null, queue.limit],
  )
  return rows.map(({ id }) => id)
}

/** Number of operators who hold a lease on a task of the service. */
export async function countOperatorsAtWork(sql: Sql, service: string): Promise<number> {
  const [row] = await sql.query<{ n: number }>(
    'select count(distinct taken_by)::int as n from services_tasks where service = $1 and waits_for_person and taken_until > clock_timestamp()',
    [service],
  )
  return row!.n
}

/** Number of tasks delivered in the last minutes: the desk's current rate. */
export async function countRecentDeliveries(sql: Sql, service: string, minutes: number): Promise<number> {
  const [row] = await sql.query<{ n: bigint }>(
    `select count(*) as n from services_tasks where service = $1 and phase in ('done','using','failed') and coalesce(delivered_at, finished_at) > now() - make_interval(mins => $2)
      and started_at is not null and cause not in ('not_paid','given_up')`,
    [service, minutes],
  )
  return Number(row!.n)
}

/** Services that were delivered to a user, and whether one is in use now. */
export async function selectDeliveredServices(sql: Sql, userId: string): Promise<{ readonly service: string; readonly used: boolean }[]> {
  return sql.query(`select service, bool_or(phase = 'using') as used from services_tasks where user_id = $1 and delivered_at is not null group by service`, [
    userId,
  ])
}

import type { Sql } from '#platform/server/database/db.ts'
import type { Task } from './data.ts'

const ALL = '*, clock_timestamp() as now'

/** Tasks waiting in a state, oldest first. */
export async function selectOldestTasks(sql: Sql, service: string, { state, limit }: { readonly state: string; readonly limit: number }): Promise<Task[]> {
  return sql.query<Task>(`select ${ALL} from services_tasks where service = $1 and state = $2 and phase = 'waiting' order by started_at, id limit $3`, [
    service,
    state,
    limit,
  ])
}

export async function countWaitingTasks(sql: Sql, service: string, { state, product }: { readonly state: string; readonly product: string }): Promise<number> {
  const [row] = await sql.query<{ n: bigint }>(
    `select count(*) as n from services_tasks where service = $1 and state = $2 and product = $3 and phase = 'waiting'`,
    [service, state, product],
  )
  return Number(row!.n)
}

export async function selectTasksByIds(sql: Sql, ids: readonly string[]): Promise<Task[]> {
  return sql.query<Task>(`select ${ALL} from services_tasks where id = any($1)`, [ids])
}

/** End times of the tasks in use, soonest first. */
export async function selectUpcomingEnds(sql: Sql, service: string, limit: number): Promise<Date[]> {
  const rows = await sql.query<{ at: Date }>(
    `select expires_at as at from services_tasks where service = $1 and phase = 'using' and expires_at is not null order by expires_at limit $2`,
    [service, limit],
  )
  return rows.map(({ at }) => at)
}

/** Times within the last `hours` at which the user released a reserved place without using it, oldest first. */
export async function selectUnusedReleases(
  sql: Sql,
  { userId, service, product, causes, hours }: { userId: string; service: string; product: string; causes: readonly string[]; hours: number },
): Promise<Date[]> {
  const rows = await sql.query<{ finishedAt: Date }>(
    `select finished_at from services_tasks where user_id = $1 and service = $2 and product = $3 and phase = 'failed' and cause = any($4)
      and supplier_ref is not null and finished_at > clock_timestamp() - make_interval(hours => $5) order by finished_at`,
    [userId, service, product, causes, hours],
  )
  return rows.map(({ finishedAt }) => finishedAt)
}

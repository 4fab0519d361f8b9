import type { Sql } from '#platform/server/database/db.ts'
import type { Nano } from '#platform/shared/money.ts'

export async function readDatabaseFacts(sql: Sql): Promise<{ version: string; bytes: bigint; connections: number; most: number }> {
  const rows = await sql.query<{ version: string; bytes: bigint; connections: number; most: number }>(
    `select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
      (select count(*)::int from pg_stat_activity where datname = current_database()) as connections, current_setting('max_connections')::int as most`,
  )
  return rows[0]!
}

/** Heartbeats of the gateway's nodes, without their open calls: cheap enough for the alarm watch. */
export const listGatewayHeartbeats = (sql: Sql): Promise<{ node: string; beatAt: Date; alive: boolean }[]> =>
  sql.query(`select node, beat_at, beat_at > now() - interval '1 minute' as alive from gateway_nodes order by node`)

/** Jobs that failed for good since `since`, by name. */
export async function listFailedJobs(sql: Sql, since: Date): Promise<{ name: string; n: number; last: Date }[]> {
  const [known] = await sql.query<{ there: boolean }>(`select to_regclass('jobs.job') is not null as there`)
  if (!known!.there) return []
  return sql.query(
    `select name, count(*)::int as n, max(completed_on) as last from jobs.job where state = 'failed' and completed_on > $1 group by name order by name`,
    [since],
  )
}

export async function readOutboxBacklog(sql: Sql): Promise<{ n: number; oldest: Date | null }> {
  return (
    await sql.query<{ n: number; oldest: Date | null }>('select count(*)::int as n, min(created_at) as oldest from outbox where delivered_at is null')
  )[0]!
}

export interface LateCorrections {
  readonly corrected: number
  readonly charged: Nano
  readonly givenBack: Nano
  readonly provisional: number
  readonly held: Nano
}
/** Corrections by later figures since `since`, in both directions, and the charges that are provisional now. */
export async function sumLateCorrections(sql: Sql, since: Date): Promise<LateCorrections> {
  const rows = await sql.query<LateCorrections>(
    `select c.*, p.* from
      (select count(*)::int as corrected, coalesce(sum(amount_after - amount_before) filter (where amount_after > amount_before), 0)::bigint as charged,
        coalesce(sum(amount_before - amount_after) filter (where amount_after < amount_before), 0)::bigint as given_back from gateway_corrections where at > $1) c,
      (select count(*)::int as provisional, coalesce(sum(amount), 0)::bigint as held from gateway_swept where basis = 'hold' and resolved_at is null) p`,
    [since],
  )
  return rows[0]!
}

export async function countDeadLetters(sql: Sql): Promise<number> {
  return (await sql.query<{ n: number }>('select count(*)::int as n from gateway_dead_letters'))[0]!.n
}

/** Alarms of the last comparison of books. */
export async function readBookAlarms(sql: Sql): Promise<{ day: string; alarms: string[] } | undefined> {
  return (await sql.query<{ day: string; alarms: string[] }>('select day::text, alarms from gateway_book_days order by day desc limit 1'))[0]
}

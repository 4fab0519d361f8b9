import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'

/** Compares the sums with the rows, and rebuilds them. Days follow Shanghai time. */

const SUMMED = 'calls, tokens, amount, failed'
const BOUNDS = `($1::date)::timestamp at time zone 'Asia/Shanghai'`
const buildDayCondition = (time: string) => `${time} >= ${BOUNDS} and ${time} < ${BOUNDS} + interval '1 day'`
/** Sums computed from the day's rows, by account, hour, model and key. */
const FROM_ROWS = `select account_id, date_trunc('hour', started_at, 'UTC') as hour, model, key_id, count(*) as calls, sum(input_tokens + output_tokens) as tokens,
  sum(amount) as amount, count(*) filter (where outcome <> 'completed') as failed, max(amount) as largest
  from gateway_usage where ${buildDayCondition('started_at')} group by 1, 2, 3, 4`
const WAITING = `select account_id, hour, model, key_id, ${SUMMED}, largest from gateway_unsummed where ${buildDayCondition('hour')}`
const ADDED = 'sum(calls) as calls, sum(tokens) as tokens, sum(amount) as amount, sum(failed) as failed, max(largest) as largest'

/**
 * `largest`, the most expensive call of a sum, is an upper bound for searches: a call that was corrected downwards leaves it above the
 * rows.
 */
const DIFFER = '(r.calls, r.tokens, r.amount, r.failed) is distinct from (s.calls, s.tokens, s.amount, s.failed) or r.largest > s.largest'

export interface SumDiscrepancy {
  readonly table: 'hours' | 'days'
  readonly accountId: bigint
  readonly at: string
  readonly model: string
  readonly keyId: string
  readonly rowsCalls: bigint
  readonly sumsCalls: bigint
  readonly rowsAmount: bigint
  readonly sumsAmount: bigint
}

/** Sums by hour or day, including waiting rows, that differ from the rows of a day. One statement, so one snapshot. */
export const selectSumDiscrepancies = (sql: Sql, day: string, limit: number) =>
  sql.query<SumDiscrepancy>(
    `with from_rows as materialized (${FROM_ROWS}),
     waiting as materialized (${WAITING}),
     hours as (select account_id, hour, model, key_id, ${ADDED} from (
       select account_id, hour, model, key_id, ${SUMMED}, largest from gateway_usage_hours where ${buildDayCondition('hour')} union all select * from waiting) s group by 1, 2, 3, 4),
     days as (select account_id, model, key_id, ${ADDED} from (
       select account_id, model, key_id, ${SUMMED}, largest from gateway_usage_days where day = $1::date
       union all select account_id, model, key_id, ${SUMMED}, largest from waiting) s group by 1, 2, 3),
     rows_of_day as (select account_id, model, key_id, ${ADDED} from from_rows group by 1, 2, 3)
     select 'hours' as table, account_id, hour::text as at, model, key_id, coalesce(r.calls, 0)::bigint as rows_calls, coalesce(s.calls, 0)::bigint as sums_calls,
       coalesce(r.amount, 0)::bigint as rows_amount, coalesce(s.amount, 0)::bigint as sums_amount
     from from_rows r full join hours s using (account_id, hour, model, key_id)
     where ${DIFFER}
     union all
     select 'days', account_id, $1::text, model, key_id, coalesce(r.calls, 0)::bigint, coalesce(s.calls, 0)::bigint, coalesce(r.amount, 0)::bigint, coalesce(s.amount, 0)::bigint
     from rows_of_day r full join days s using (account_id, model, key_id)
     where ${DIFFER}
     limit $2`,
    [day, limit],
  )

/** Pauses summation until the transaction ends: a process that has taken rows waits, and its rows still count as waiting here. */
export const lockSums = (sql: Sql) => sql.query('lock table gateway_usage_hours, gateway_usage_days in share row exclusive mode')

/** Rebuilds a day's sums from its rows, less those waiting to be added. Only under `lockSums`. */
export async function rebuildSums(sql: Sql, day: string): Promise<void> {
  await sql.query(`delete from gateway_usage_hours where ${buildDayCondition('hour')}`, [day])
  await sql.query(
    `insert into gateway_usage_hours (account_id, hour, model, key_id, ${SUMMED}, largest)
     select account_id, hour, model, key_id, r.calls - coalesce(w.calls, 0), r.tokens - coalesce(w.tokens, 0), r.amount - coalesce(w.amount, 0), r.failed - coalesce(w.failed, 0), r.largest
     from (${FROM_ROWS}) r left join (select account_id, hour, model, key_id, ${ADDED} from (${WAITING}) w group by 1, 2, 3, 4) w using (account_id, hour, model, key_id)
     where r.calls > coalesce(w.calls, 0)`,
    [day],
  )
  await sql.query('delete from gateway_usage_days where day = $1::date', [day])
  await sql.query(
    `insert into gateway_usage_days (account_id, day, model, key_id, ${SUMMED}, largest)
     select account_id, $1::date, model, key_id, ${ADDED} from gateway_usage_hours where ${buildDayCondition('hour')} group by account_id, model, key_id`,
    [day],
  )
}

export const recordSumCheck = (sql: Sql, day: string, faults: number) =>
  sql.query(
    `insert into gateway_usage_checks (day, checked_at, calls, amount, faults)
     select $1::date, now(), coalesce(sum(calls), 0), coalesce(sum(amount), 0), $2 from gateway_usage_days where day = $1::date
     on conflict (day) do update set checked_at = excluded.checked_at, calls = excluded.calls, amount = excluded.amount, faults = excluded.faults`,
    [day, faults],
  )

/** Day with use before `before` whose check is the oldest; days never checked come first. */
export const selectDayToCheck = async (sql: Sql, before: string) =>
  first(
    await sql.query<{ day: string }>(
      `select d.day::text from (select generate_series(min(day), $1::date - 1, interval '1 day')::date as day from gateway_usage_days) d
       left join gateway_usage_checks c using (day) where d.day < $1::date order by c.checked_at nulls first, d.day limit 1`,
      [before],
    ),
  )?.day

/** Number of all calls that have been added to the sums. */
export async function countCalls(sql: Sql): Promise<number> {
  return Number((await sql.query<{ n: bigint }>('select coalesce(sum(calls), 0)::bigint as n from gateway_usage_days'))[0]!.n)
}

import { toColumnName } from '#platform/server/database/column-names.ts'
import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { GatewayBookDaysRow } from '../tables.ts'

/** Queries of the comparison of books. Days are UTC's, as vendors' are. */

export interface OurUse {
  readonly upstream: string
  readonly model: string
  readonly calls: bigint
  readonly input: bigint
  readonly cached: bigint
  readonly output: bigint
  readonly charge: bigint
  readonly estimated: bigint
}
/**
 * Our use per upstream and model. Calls without tokens never reached the vendor, and vendors do not count them either. Units that we count
 * ourselves (characters, seconds) are charged but appear in no token report. Includes our own test calls.
 */
export const selectOurUse = (sql: Sql, from: Date, before: Date) =>
  sql.query<OurUse>(
    `select upstream, model, count(*) filter (where input_tokens + output_tokens > 0) as calls,
       coalesce(sum(input_tokens) filter (where provenance <> 'counted'), 0)::bigint as input, coalesce(sum(cached_tokens) filter (where provenance <> 'counted'), 0)::bigint as cached,
       coalesce(sum(output_tokens) filter (where provenance <> 'counted'), 0)::bigint as output, sum(amount)::bigint as charge,
       count(*) filter (where provenance in ('estimated', 'upstream_partial', 'held')) as estimated
     from (
       select upstream, model, input_tokens, cached_tokens, output_tokens, amount, provenance from gateway_usage where started_at >= $1 and started_at < $2
       union all select upstream_id, model_id, input_tokens, cached_tokens, output_tokens, coalesce(cost, 0), case state when 'done' then 'upstream' else 'held' end from gateway_test_calls
         where called_at >= $1 and called_at < $2 and input_tokens is not null
     ) used group by 1, 2 order by 1, 2`,
    [from, before],
  )

/** All-time charges according to the sums, and the part not yet posted to the ledger. */
export const selectAllTimeSums = async (sql: Sql) =>
  first(
    await sql.query<{ sums: bigint; unposted: bigint }>(
      `select (select coalesce(sum(amount), 0) from (select amount from gateway_usage_days union all select amount from gateway_unsummed) s)::bigint as sums,
       (select coalesce(sum(amount), 0) from gateway_unposted)::bigint as unposted`,
    ),
  )!

/** Makes the following reads of the transaction share one snapshot. */
export const setRepeatableRead = (sql: Sql) => sql.query('set transaction isolation level repeatable read')

export interface BookRow {
  readonly vendor: string
  readonly model: string
  readonly ourCalls: bigint
  readonly ourInput: bigint
  readonly ourCached: bigint
  readonly ourOutput: bigint
  readonly ourCharge: bigint
  readonly estimatedCalls: bigint
  readonly theirCalls: bigint | null
  readonly theirInput: bigint | null
  readonly theirCached: bigint | null
  readonly theirOutput: bigint | null
  readonly theirCost: bigint | null
}
export interface StoredBookRow extends BookRow {
  readonly revision: number
}
const FIGURES = [
  'ourCalls',
  'ourInput',
  'ourCached',
  'ourOutput',
  'ourCharge',
  'estimatedCalls',
  'theirCalls',
  'theirInput',
  'theirCached',
  'theirOutput',
  'theirCost',
] as const
const COLUMNS = FIGURES.map(toColumnName)

/**
 * Stores a comparison of a day. Unchanged figures write nothing; changed ones raise the revision. Stored rows that are not in `rows` are
 * deleted.
 */
export async function saveBook(sql: Sql, day: string, rows: readonly BookRow[]): Promise<void> {
  await sql.query(
    `insert into gateway_books as b (day, vendor, model, ${COLUMNS.join(', ')})
     select $1::date, * from unnest($2::text[], $3::text[], ${COLUMNS.map((_, i) => `$${i + 4}::bigint[]`).join(', ')})
     on conflict (day, vendor, model) do update set ${COLUMNS.map((name) => `${name} = excluded.${name}`).join(', ')}, revision = b.revision + 1, changed_at = now()
     where (${COLUMNS.map((name) => `b.${name}`).join(', ')}) is distinct from (${COLUMNS.map((name) => `excluded.${name}`).join(', ')})`,
    [day, rows.map((row) => row.vendor), rows.map((row) => row.model), ...FIGURES.map((name) => rows.map((row) => row[name]))],
  )
  await sql.query(`delete from gateway_books where day = $1::date and (vendor, model) not in (select * from unnest($2::text[], $3::text[]))`, [
    day,
    rows.map((row) => row.vendor),
    rows.map((row) => row.model),
  ])
}

export const selectBook = (sql: Sql, day: string) =>
  sql.query<StoredBookRow>(
    `select vendor, model, ${COLUMNS.join(', ')}, revision from gateway_books where day = $1::date order by vendor, our_charge desc, model`,
    [day],
  )

/** Figures that a vendor reported for a day earlier; used if it does not respond today. */
export const selectEarlierReport = (sql: Sql, day: string, vendor: string) =>
  sql.query<Pick<BookRow, 'model' | 'theirCalls' | 'theirInput' | 'theirCached' | 'theirOutput' | 'theirCost'>>(
    `select model, their_calls, their_input, their_cached, their_output, their_cost from gateway_books
     where day = $1::date and vendor = $2 and coalesce(their_calls, their_input, their_output, their_cost) is not null`,
    [day, vendor],
  )

export interface BookDay extends Pick<GatewayBookDaysRow, 'charged' | 'posted' | 'received' | 'paidBack' | 'sums' | 'captured' | 'unread' | 'alarms'> {
  readonly day: string
}
export const saveBookDay = (sql: Sql, day: BookDay) =>
  sql.query(
    `insert into gateway_book_days (day, charged, posted, received, paid_back, sums, captured, unread, alarms) values ($1,$2,$3,$4,$5,$6,$7,$8,$9)
     on conflict (day) do update set charged = excluded.charged, posted = excluded.posted, received = excluded.received, paid_back = excluded.paid_back,
       sums = excluded.sums, captured = excluded.captured, unread = excluded.unread, alarms = excluded.alarms, compared_at = now()`,
    [day.day, day.charged, day.posted, day.received, day.paidBack, day.sums, day.captured, day.unread, day.alarms],
  )

import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { GatewayUsageDaysRow } from '../tables.ts'

/** Queries of sums. Rows not yet added up are added when read, so that a page shows every settled call. Single calls: data-calls.ts. */

/** Days are Shanghai's: `from` inclusive, `before` exclusive. */
export interface SumRange {
  readonly accountId: bigint
  readonly from: string
  readonly before: string
  readonly keyId: string | undefined
  readonly model: string | undefined
}
export type UsageSums = Pick<GatewayUsageDaysRow, 'calls' | 'failed' | 'tokens' | 'amount'>
const toMidnightSql = (day: string) => `(${day}::date)::timestamp at time zone 'Asia/Shanghai'`
const SUM_COLUMNS = 'calls, failed, tokens, amount'
const ADDED =
  'coalesce(sum(calls), 0)::bigint as calls, coalesce(sum(failed), 0)::bigint as failed, coalesce(sum(tokens), 0)::bigint as tokens, coalesce(sum(amount), 0)::bigint as amount'

/** Sums of a range by day or hour, including waiting rows: the snapshot of one statement sees a call in one of the two, never in both. */
function buildSumsQuery(range: SumRange, by: 'day' | 'hour', values: unknown[]): string {
  values.push(range.accountId, range.from, range.before)
  const own = [...(range.keyId ? [`key_id = $${values.push(range.keyId)}`] : []), ...(range.model ? [`model = $${values.push(range.model)}`] : [])]
  const where = (conditions: string[]) => ['account_id = $1', ...conditions, ...own].join(' and ')
  const hours = [`hour >= ${toMidnightSql('$2')}`, `hour < ${toMidnightSql('$3')}`]
  return by === 'day'
    ? `select day, model, key_id, ${SUM_COLUMNS} from gateway_usage_days where ${where(['day >= $2::date', 'day < $3::date'])}
       union all select gateway_shanghai_day(hour), model, key_id, ${SUM_COLUMNS} from gateway_unsummed where ${where(hours)}`
    : `select hour, model, key_id, ${SUM_COLUMNS} from gateway_usage_hours where ${where(hours)}
       union all select hour, model, key_id, ${SUM_COLUMNS} from gateway_unsummed where ${where(hours)}`
}

export interface DayRow extends UsageSums {
  readonly day: string
  readonly name: string
  readonly vendor: string
  readonly keyName: string
}

/** Whole days, newest first, until there are `atLeast` rows; `next` is the day to continue before. */
export async function selectUsageDays(
  sql: Sql,
  range: SumRange,
  { group, atLeast }: { readonly group: 'model' | 'key'; readonly atLeast: number },
): Promise<{ rows: DayRow[]; next: string | undefined }> {
  const values: unknown[] = []
  const name = group === 'model' ? 'model' : 'key_id'
  const rows = await sql.query<DayRow & { more: boolean }>(
    `with sums as (${buildSumsQuery(range, 'day', values)}),
     grouped as (select day, ${name} as name, ${ADDED} from sums group by 1, 2),
     days as (select day, sum(count(*)) over (order by day desc) - count(*) as ahead from grouped group by day)
     select g.day::text, g.name, ${SUM_COLUMNS}, coalesce(m.vendor, '') as vendor, coalesce(k.name, '') as key_name,
       exists (select from days where ahead >= $${values.push(atLeast)}) as more
     from grouped g join days d on d.day = g.day and d.ahead < $${values.length}
     left join gateway_models m on ${group === 'model' ? 'm.model_id = g.name' : 'false'} left join gateway_keys k on ${group === 'key' ? 'k.key_id = g.name' : 'false'}
     order by g.day desc, amount desc, g.name`,
    values,
  )
  return { rows, next: rows[0]?.more ? rows.at(-1)!.day : undefined }
}

/** One page of the same rows by number, and the number of rows. */
export async function selectUsageRows(
  sql: Sql,
  range: SumRange,
  { group, page }: { readonly group: 'model' | 'key'; readonly page: { size: number; offset: number } },
): Promise<{ rows: DayRow[]; total: number }> {
  const values: unknown[] = []
  const name = group === 'model' ? 'model' : 'key_id'
  const rows = await sql.query<DayRow & { total: bigint }>(
    `with sums as (${buildSumsQuery(range, 'day', values)}),
     grouped as (select day, ${name} as name, ${ADDED} from sums group by 1, 2),
     shown as (select * from grouped order by day desc, amount desc, name limit $${values.push(page.size)} offset $${values.push(page.offset)})
     select s.day::text, s.name, ${SUM_COLUMNS}, coalesce(m.vendor, '') as vendor, coalesce(k.name, '') as key_name, c.total
     from (select count(*) as total from grouped) c left join shown s on true
     left join gateway_models m on ${group === 'model' ? 'm.model_id = s.name' : 'false'} left join gateway_keys k on ${group === 'key' ? 'k.key_id = s.name' : 'false'}
     order by s.day desc, amount desc, s.name`,
    values,
  )
  return { rows: rows.filter(({ day }) => day !== null), total: Number(rows[0]!.total) }
}

export async function selectUsageTotals(sql: Sql, range: SumRange): Promise<UsageSums> {
  const values: unknown[] = []
  return first(await sql.query<UsageSums>(`with sums as (${buildSumsQuery(range, 'day', values)}) select ${ADDED} from sums`, values))!
}

export interface SeriesRow extends UsageSums {
  readonly part: 'point' | 'group' | 'total'
  readonly at: string | null
  readonly name: string | null
  readonly label: string | null
  readonly vendor: string | null
}
/** Rows are grouped by the stored time; only the few resulting sums are formatted. */
const RAW = { hour: 's.hour', day: 's.day', month: `date_trunc('month', s.day::timestamp)` } as const
const AT = { hour: `to_char(n.raw at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24')`, day: 'n.raw::text', month: `to_char(n.raw, 'YYYY-MM')` } as const
const NAME = { model: 's.model', key: 's.key_id', vendor: `coalesce(m.vendor, '')` } as const
/** Limits on groups drawn separately in a chart, and in the list beside it. */
const PLACES = 7
const LISTED = 100

/** Points, groups and the total of a chart, from one snapshot. */
export function selectUsageSeries(
  sql: Sql,
  range: SumRange,
  { step, group }: { readonly step: keyof typeof AT; readonly group: keyof typeof NAME },
): Promise<SeriesRow[]> {
  const values: unknown[] = []
  return sql.query<SeriesRow>(
    `with sums as (${buildSumsQuery(range, step === 'hour' ? 'hour' : 'day', values)}),
     named as (select ${RAW[step]} as raw, ${NAME[group]} as name, ${ADDED} from sums s ${group === 'vendor' ? 'left join gateway_models m on m.model_id = s.model' : ''} group by 1, 2),
     ranked as (select name, ${ADDED}, row_number() over (order by sum(amount) desc, sum(calls) desc, name) as place from named group by name)
     select * from (
       select 'point' as part, ${AT[step]} as at, case when r.place <= ${PLACES} then n.name end as name, null as label, null as vendor, 0 as place,
         sum(n.calls)::bigint as calls, sum(n.failed)::bigint as failed, sum(n.tokens)::bigint as tokens, sum(n.amount)::bigint as amount
       from named n join ranked r using (name) group by n.raw, 3
       union all
       select 'group', null, r.name, coalesce(k.name, r.name), ${group === 'vendor' ? 'r.name' : "coalesce(m.vendor, '')"}, r.place, r.calls, r.failed, r.tokens, r.amount
       from ranked r left join gateway_keys k on ${group === 'key' ? 'k.key_id = r.name' : 'false'} left join gateway_models m on ${group === 'model' ? 'm.model_id = r.name' : 'false'}
       where r.place <= ${LISTED}
       union all select 'total', null, null, null, null, 0, ${ADDED} from named
     ) parts order by part, at, place, name`,
    values,
  )
}

export interface VendorDay {
  readonly day: string
  readonly vendor: string
  readonly calls: bigint
  readonly amount: bigint
}
export function selectVendorDays(sql: Sql, accountId: bigint, from: string): Promise<VendorDay[]> {
  const values: unknown[] = []
  return sql.query<VendorDay>(
    `with sums as (${buildSumsQuery({ accountId, from, before: '9999-12-31', keyId: undefined, model: undefined }, 'day', values)})
     select s.day::text, coalesce(m.vendor, '') as vendor, sum(calls)::bigint as calls, sum(amount)::bigint as amount
     from sums s left join gateway_models m on m.model_id = s.model group by s.day, 2 order by s.day, 2`,
    values,
  )
}

export const selectFirstCallAt = async (sql: Sql, accountId: bigint) =>
  first(
    await sql.query<{ day: string | null }>(
      `select coalesce((select day from gateway_usage_days where account_id = $1 order by day limit 1),
       (select gateway_shanghai_day(min(hour)) from gateway_unsummed where account_id = $1))::text as day`,
      [accountId],
    ),
  )?.day ?? undefined

export interface FundsDay {
  readonly day: string
  readonly keyId: string
  readonly keyName: string | null
  readonly calls: bigint
  readonly models: readonly string[]
  readonly amount: bigint
}

/** Sums of an account by day and key, oldest first. */
export function selectFundsDays(sql: Sql, accountId: bigint, { from, before }: { readonly from: string; readonly before: string }): Promise<FundsDay[]> {
  const values: unknown[] = []
  return sql.query<FundsDay>(
    `with sums as (${buildSumsQuery({ accountId, from, before, keyId: undefined, model: undefined }, 'day', values)})
     select s.day::text, s.key_id, max(k.name) as key_name, sum(s.calls)::bigint as calls, array_agg(distinct s.model) as models, sum(s.amount)::bigint as amount
     from sums s left join gateway_keys k on k.key_id = s.key_id group by s.day, s.key_id order by s.day, amount desc, s.key_id`,
    values,
  )
}

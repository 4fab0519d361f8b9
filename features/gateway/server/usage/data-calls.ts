import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'

/** Queries of single calls, by keyset on (started_at, call_id). */

const HOUR_MS = 3_600_000

export interface CallDbRow {
  readonly callId: string
  readonly startedAt: Date
  readonly model: string
  /** Retired model that the caller named, if `model` answered in its place; else empty. */
  readonly askedModel: string
  readonly vendor: string
  readonly keyId: string
  readonly keyName: string
  readonly last4: string
  readonly status: number
  readonly outcome: 'completed' | 'client_gone' | 'upstream_failed' | 'upstream_cut'
  readonly provenance: 'upstream' | 'upstream_partial' | 'counted' | 'estimated' | 'held'
  readonly inputTokens: bigint
  readonly cachedTokens: bigint
  readonly outputTokens: bigint
  readonly reasoningTokens: bigint
  readonly firstByteMs: number
  readonly totalMs: number
  readonly amount: bigint
  readonly requestId: string
  readonly lines: string[]
}
const CALL_COLUMNS = `u.call_id, u.started_at, u.model, u.asked_model, coalesce(m.vendor, '') as vendor, u.key_id, coalesce(k.name, '') as key_name, coalesce(k.last4, '----') as last4, u.status, u.outcome, u.provenance,
  u.input_tokens, u.cached_tokens, u.output_tokens, u.reasoning_tokens, u.first_byte_ms, u.total_ms, u.amount, u.request_id, u.lines`
const NAMES = 'left join gateway_models m on m.model_id = u.model left join gateway_keys k on k.key_id = u.key_id'

export interface CallFilter {
  readonly accountId: bigint
  readonly keyId?: string | undefined
  readonly model?: string | undefined
  readonly outcome?: string | undefined
  readonly status?: number | undefined
  readonly least?: bigint | undefined
  readonly most?: bigint | undefined
  readonly from?: Date | undefined
  readonly before?: Date | undefined
}
export interface Cursor {
  readonly at: Date
  readonly callId: string
}
/** older: newest first, after the cursor; newer: the reverse. */
export type Direction = 'older' | 'newer'

function buildConditions(
  filter: CallFilter,
  cursor: Cursor | undefined,
  { direction, values }: { readonly direction: Direction; readonly values: unknown[] },
): string {
  const where: string[] = []
  const add = (condition: string, ...given: unknown[]) => where.push(condition.replace(/\?/g, () => `$${values.push(given.shift())}`))
  // The conditions are written out so that each uses its index and prunes the partitions of other months.
  add('u.account_id = ?', filter.accountId)
  if (filter.keyId) add('u.key_id = ?', filter.keyId)
  if (filter.model) add('u.model = ?', filter.model)
  if (filter.outcome === 'not_completed') add(`u.outcome <> 'completed'`)
  else if (filter.outcome) add('u.outcome = ?', filter.outcome)
  if (filter.status) add('u.status = ?', filter.status)
  if (filter.least !== undefined) add('u.amount >= ?', filter.least)
  if (filter.most !== undefined) add('u.amount <= ?', filter.most)
  if (filter.from) add('u.started_at >= ?', filter.from)
  if (filter.before) add('u.started_at < ?', filter.before)
  if (cursor) {
    const than = direction === 'older' ? '<' : '>'
    // The first condition is redundant, but lets the planner prune partitions.
    add(`u.started_at ${than}= ?`, cursor.at)
    add(`(u.started_at, u.call_id) ${than} (?, ?)`, cursor.at, cursor.callId)
  }
  return where.join(' and ')
}

const buildOrder = (direction: Direction, of: string) =>
  direction === 'older' ? `order by ${of}started_at desc, ${of}call_id desc` : `order by ${of}started_at, ${of}call_id`

/** Lists rows in the given direction. Joins names for the rows of the page only. */
export function listCalls(
  sql: Sql,
  filter: CallFilter,
  { cursor, direction, limit }: { readonly cursor: Cursor | undefined; readonly direction: Direction; readonly limit: number },
): Promise<CallDbRow[]> {
  const values: unknown[] = []
  const where = buildConditions(filter, cursor, { direction, values })
  return sql.query<CallDbRow>(
    `select ${CALL_COLUMNS} from (select * from gateway_usage u where ${where} ${buildOrder(direction, 'u.')} limit $${values.push(limit)}) u ${NAMES} ${buildOrder(direction, 'u.')}`,
    values,
  )
}

/** Like `listCalls`, within given hours only. The bounds of the hours are stated as well, because they let the planner prune partitions. */
export function listCallsOfHours(
  sql: Sql,
  hours: readonly Date[],
  {
    filter,
    cursor,
    direction,
    limit,
  }: { readonly filter: CallFilter; readonly cursor: Cursor | undefined; readonly direction: Direction; readonly limit: number },
): Promise<CallDbRow[]> {
  const times = hours.map((hour) => hour.getTime())
  const from = Math.max(Math.min(...times), filter.from?.getTime() ?? 0)
  const before = Math.min(Math.max(...times) + HOUR_MS, filter.before?.getTime() ?? Infinity)
  const values: unknown[] = []
  const where = buildConditions({ ...filter, from: new Date(from), before: new Date(before) }, cursor, { direction, values })
  return sql.query<CallDbRow>(
    `select ${CALL_COLUMNS} from (
       select u.* from unnest($${values.push(hours)}::timestamptz[]) h (hour) cross join lateral (
         select * from gateway_usage u where ${where} and u.started_at >= h.hour and u.started_at < h.hour + interval '1 hour' ${buildOrder(direction, 'u.')} limit $${values.push(limit)}) u
       ${buildOrder(direction, 'u.')} limit $${values.length}) u ${NAMES} ${buildOrder(direction, 'u.')}`,
    values,
  )
}

export interface HourToSearch {
  readonly hour: Date
  /** Number of calls that a search in this hour reads: all of the account's. */
  readonly calls: bigint
}
/** Days with a match are found first, so that only their hours are read. */
const DAYS = 14

/**
 * Hours whose sums allow a match, in the given direction from `at` on, of at most fourteen days that do; `more` if there are later days.
 */
export async function selectHoursToSearch(
  sql: Sql,
  filter: CallFilter,
  { from, before, direction }: { readonly from: Date; readonly before: Date; readonly direction: Direction },
): Promise<{ hours: HourToSearch[]; more: boolean }> {
  const values: unknown[] = [filter.accountId, from, before]
  const may = [
    'true',
    ...(filter.keyId ? [`key_id = $${values.push(filter.keyId)}`] : []),
    ...(filter.model ? [`model = $${values.push(filter.model)}`] : []),
    ...(filter.outcome === 'completed' ? ['calls > failed'] : filter.outcome ? ['failed > 0'] : []),
    ...(filter.least !== undefined ? [`largest >= $${values.push(filter.least)}`] : []),
  ].join(' and ')
  const order = direction === 'older' ? 'desc' : 'asc'
  const rows = await sql.query<HourToSearch & { more: boolean }>(
    `with days as (
       select day from gateway_usage_days where account_id = $1 and day between gateway_shanghai_day($2) and gateway_shanghai_day($3) and ${may}
       group by day order by day ${order} limit ${DAYS + 1}),
     chosen as (select day from days order by day ${order} limit ${DAYS})
     select hour, sum(calls)::bigint as calls, (select count(*) > ${DAYS} from days) as more from (
       select h.hour, h.calls from chosen d cross join lateral (
         select hour, sum(calls) as calls from gateway_usage_hours
         where account_id = $1 and hour >= greatest(date_trunc('hour', $2::timestamptz, 'UTC'), d.day::timestamp at time zone 'Asia/Shanghai')
           and hour < least($3::timestamptz, (d.day + 1)::timestamp at time zone 'Asia/Shanghai')
         group by hour having bool_or(${may})) h
       union all select hour, calls from gateway_unsummed where account_id = $1 and hour >= date_trunc('hour', $2::timestamptz, 'UTC') and hour < $3 and ${may}
     ) found group by hour order by hour ${order}`,
    values,
  )
  return { hours: rows, more: rows[0]?.more ?? false }
}

export interface CallDetailRow extends CallDbRow {
  readonly dialect: string
  readonly stream: boolean
  readonly upstreamRequestId: string
  readonly priceVersion: bigint
  readonly priceFrom: Date
  /** In millionths of the list price, if the customer negotiated one. */
  readonly priceShare: number | null
}
/** Finds a call by id. The id contains its time, so a day around it is read first, which avoids scanning years of months. */
export async function selectCall(sql: Sql, accountId: bigint, callId: string): Promise<CallDetailRow | undefined> {
  const made = parseCallTime(callId)
  const look = (within: string, more: unknown[]) =>
    sql.query<CallDetailRow>(
      `select ${CALL_COLUMNS}, u.dialect, u.stream, u.upstream_request_id, u.price_version, coalesce(p.valid_from, u.started_at) as price_from, p.millionths as price_share
       from gateway_usage u ${NAMES} left join gateway_prices p on p.version = u.price_version where u.account_id = $1 and u.call_id = $2 ${within}`,
      [accountId, callId, ...more],
    )
  const near = made && first(await look(`and u.started_at between $3::timestamptz - interval '1 day' and $3::timestamptz + interval '1 day'`, [made]))
  return near ?? first(await look('', []))
}

/** The first eight hex characters after the prefix are the time in seconds (hot/ids.ts). */
function parseCallTime(callId: string): Date | undefined {
  const seconds = /^call_([0-9a-f]{8})[0-9a-f]{16}$/.exec(callId)?.[1]
  return seconds === undefined ? undefined : new Date(Number.parseInt(seconds, 16) * 1000)
}
